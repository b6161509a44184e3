import { hash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestIo } from '../../test/test-io.js';
import { createTestProject } from '../../test/test-project.js';
import { warnIfStale } from './start-built.js';

const FILES = { 'lib/a.ts': 'a' };

describe('warnIfStale', () => {
  it.each<[string, Readonly<Record<string, string | undefined>>, string]>([
    ['nothing changed', {}, ''],
    ['a source changed', { 'lib/a.ts': 'b' }, 'lib/a.ts has changed since the build.'],
    ['the manifest is damaged', { 'dist/manifest.json': '{' }, 'in JSON at position 1'],
    ['there is no manifest', { 'dist/manifest.json': undefined }, ''],
    ['there are no sources', { 'lib/a.ts': undefined }, ''],
  ])('warns when %s', async (_, changes, warning) => {
    const project = await createTestProject(FILES);
    onTestFinished(() => project[Symbol.asyncDispose]());
    const { root } = project;
    const manifest = {
      v: 1,
      hash: hash('sha256', 'bot'),
      commands: [],
      events: [],
      registered: [],
      platform: {},
      contents: [],
      sources: { 'lib/a.ts': hash('sha256', 'a') },
    };
    await project.write('dist/manifest.json', JSON.stringify(manifest));
    await project.write('dist/bot.mjs', 'bot');
    for (const [file, text] of Object.entries(changes)) {
      if (text === undefined) await project.remove(file);
      else await project.write(file, text);
    }
    const io = createTestIo({ cwd: root });
    await warnIfStale(io);
    const form =
      warning === '' ? /^$/ : /^! dist\/manifest\.json is .*Run `virgule build` to update it\.\n$/;
    expect(io.err).toMatch(form);
    expect(io.err).toContain(warning);
  });
});
