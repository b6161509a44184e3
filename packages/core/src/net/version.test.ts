import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { VERSION } from './version.js';

it('VERSION is that of package.json', async () => {
  const file = new URL('../../package.json', import.meta.url);
  expect(VERSION).toBe(JSON.parse(await readFile(file, 'utf8')).version);
});
