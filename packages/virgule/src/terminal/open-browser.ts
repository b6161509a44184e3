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
  const [program, ...args] = openerOf(env['BROWSER'], platform);
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

function openerOf(
  browser: string | undefined,
  platform: NodeJS.Platform,
): [program: string, ...args: string[]] {
  if (browser) return [browser];
  if (platform === 'darwin') return ['open'];
  // The first quoted word after `start` is a window's title.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""'];
  return ['xdg-open'];
}
