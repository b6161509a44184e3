import { spawn } from 'node:child_process';

/**
 * Opens an address in the browser: with the program in `BROWSER`, else with the opener of the system.
 *
 * @returns the reason of a failure; `undefined` on success.
 */
export function openBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const { BROWSER } = env;
  const [program, ...args]: Opener = BROWSER ? [BROWSER] : (OPENERS[platform] ?? ['xdg-open']);
  return new Promise((resolve) => {
    const options = { stdio: 'ignore', detached: true, env: { ...env } } as const;
    const child = spawn(program, [...args, url], options);
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
  // The first quoted word after `start` is the title of a window.
  win32: ['cmd', '/c', 'start', '""'],
};
