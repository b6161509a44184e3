import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../test/until.js';
import { openBrowser } from './open-browser.js';

const URL = 'http://127.0.0.1:7300/?access=a&b';

/** A folder with a program that writes down what it was given. */
function folderWith(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-browser-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\nprintf '%s,' "$@" > "${folder}/given"\n`);
  chmodSync(file, 0o755);
  return folder;
}
const given = (folder: string) =>
  until(() => expect(readFileSync(join(folder, 'given'), 'utf8')).not.toBe('')).then(() =>
    readFileSync(join(folder, 'given'), 'utf8'),
  );

describe('openBrowser', () => {
  it('starts the program in BROWSER', async () => {
    const folder = folderWith('browser');
    expect(await openBrowser(URL, { BROWSER: join(folder, 'browser') })).toBeUndefined();
    expect(await given(folder)).toBe(`${URL},`);
  });

  it.each([
    ['linux', 'xdg-open', `${URL},`],
    ['darwin', 'open', `${URL},`],
    ['win32', 'cmd', `/c,start,"",${URL},`],
  ] as const)('opens as %s does', async (platform, program, expected) => {
    const folder = folderWith(program);
    const env = { PATH: `${folder}:/usr/bin:/bin` };
    expect(await openBrowser(URL, env, platform)).toBeUndefined();
    expect(await given(folder)).toBe(expected);
  });

  it('reports why it could not be opened', async () => {
    expect(await openBrowser(URL, { PATH: '/nowhere' }, 'linux')).toContain('ENOENT');
  });
});
