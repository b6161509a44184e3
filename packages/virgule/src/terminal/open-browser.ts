import { spawn } from 'node:child_process';

/**
 * Opens an address in the browser: with the program in `BROWSER` when there is one, else as the system does.
 *
 * @returns why it could not be opened; nothing when it was.
 */
export function openBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const { BROWSER } = env;
  const opener: Opener = BROWSER ? [BROWSER] : (OPENERS[platform] ?? ['xdg-open']);
  const [program, ...args] = opener;
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], {
      stdio: 'ignore',
      detached: true,
      env: { ...env },
    });
    child.once('error', (error) => resolve(error.message));
    child.once('spawn', () => {
      child.unref();
      resolve(undefined);
    });
  });
}

type Opener = readonly [program: string, ...args: string[]];

const OPENERS: Partial<Record<NodeJS.Platform, Opener>> = {
  darwin: ['open'],
  // The first quoted word after `start` is a window's title.
  win32: ['cmd', '/c', 'start', '""'],
};
