import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

const ELSEWHERE = ' With `--dev`, the command uses the data of `virgule dev`.';

async function open(files: Readonly<Record<string, string>> = { 'commands/a.ts': answering('a') }) {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const { root } = project;
  async function storage(...argv: string[]) {
    const io = createTestIo({ cwd: root });
    const code = await run(['storage', ...argv], io);
    return { code, out: io.out, err: io.err };
  }
  return { root, storage };
}

const done = (out = '', err = '') => ({ code: 0, out, err });

describe('virgule storage', () => {
  it('sets, gets, lists and deletes entries', async () => {
    const { storage } = await open();
    expect(await storage('set', 'poll:b', '{"votes": [1, 2]}')).toEqual(done());
    expect(await storage('set', 'poll:a', '"red\\n"')).toEqual(done());
    expect(await storage('set', 'other', 'null', '--ttl', '1d')).toEqual(done());
    expect(await storage('get', 'poll:b')).toEqual(
      done('{\n  "votes": [\n    1,\n    2\n  ]\n}\n'),
    );
    expect(await storage('get', 'poll:a', '--json')).toEqual(
      done('{"key":"poll:a","value":"red\\n"}\n'),
    );
    expect(await storage('list', 'poll:')).toEqual(
      done('poll:a  "red\\n"\npoll:b  {"votes":[1,2]}\n'),
    );
    expect(await storage('delete', 'poll:a')).toEqual(done());
    expect(await storage('delete', 'poll:a')).toEqual({
      code: 1,
      out: '',
      err: `There is no entry poll:a.${ELSEWHERE}\n`,
    });
    expect(await storage('get', 'poll:a')).toMatchObject({ code: 1, out: '' });
    expect((await storage('list', '--json')).out).toMatch(
      /^\{"key":"other","value":null,"ttlMs":86\d{6}\}\n\{"key":"poll:b","value":\{"votes":\[1,2\]\}\}\n$/,
    );
  });

  it('takes a key with a redacted part as it lists it, if only one entry is meant', async () => {
    const [one, other] = ['00000000-0000-4000-8000-00000000000a', 'another-secret'];
    const { storage } = await open({
      'commands/a.ts': answering('a'),
      'virgule.config.ts': `import * as z from 'zod';
        export default { env: z.object({ ROOM: z.string(), HOOK: z.string() }) };`,
      '.env': `ROOM=${one}\nHOOK=${other}`,
    });
    await storage('set', `room:${one}`, '1');
    expect((await storage('list')).out).toBe('room:[redacted]  1\n');
    await storage('set', 'room:[redacted]', '2');
    expect(await storage('get', 'room:[redacted]', '--json')).toEqual(
      done('{"key":"room:[redacted]","value":2}\n'),
    );
    await storage('set', `room:${other}`, '3');
    expect(await storage('delete', 'room:[redacted]')).toMatchObject({ code: 1 });
    await storage('delete', `room:${other}`);
    expect(await storage('delete', 'room:[redacted]')).toEqual(done());
    expect((await storage('list')).out).toContain('No entries.');
  });

  it('takes a mode, and refuses an unknown one', async () => {
    const { storage } = await open({ 'commands/a.ts': answering('a'), '.env.staging': 'A=1' });
    expect(await storage('set', 'a', '1', '--mode', 'staging')).toEqual(done());
    const { code, err } = await storage('list', '--mode', 'stagging');
    expect(code).toBe(1);
    expect(err).toContain('E_MODE_UNKNOWN');
  });

  it('keeps every key of an object', async () => {
    const { root, storage } = await open();
    const text = '{"__proto__":{"a":1},"constructor":2}';
    await storage('set', 'a', text);
    expect(await storage('get', 'a', '--json')).toEqual(done(`{"key":"a","value":${text}}\n`));
    writeFileSync(join(root, 'in.jsonl'), `{"key":"b","value":${text}}`);
    await storage('import', join(root, 'in.jsonl'));
    expect(await storage('list', 'b')).toEqual(done(`b  ${text}\n`));
  });

  it('has a separate storage for development, and creates no file to read', async () => {
    const { root, storage } = await open();
    expect(await storage('set', 'a', '1', '--dev')).toEqual(done());
    expect(await storage('list')).toEqual(done(`No entries.${ELSEWHERE}\n`));
    expect(await storage('list', '--json')).toEqual(done());
    expect(await storage('list', '--dev')).toEqual(done('a  1\n'));
    const files = readdirSync(join(root, '.virgule')).filter((name) => name.endsWith('.db'));
    expect(files).toEqual(['storage.dev.db']);
  });

  it('exports more than a page, and imports it into another storage', async () => {
    const from = await open();
    const lines = Array.from({ length: 2_100 }, (_, index) =>
      JSON.stringify({ key: `k${String(index).padStart(4, '0')}`, value: index }),
    );
    const text = `${lines.join('\n')}\n`;
    writeFileSync(join(from.root, 'in.jsonl'), text);
    expect(await from.storage('import', join(from.root, 'in.jsonl'))).toEqual(
      done('', 'Imported 2100 entries.\n'),
    );
    expect(await from.storage('export')).toEqual(done(text));
  });

  it.each([
    ['{"key":"a","value":1}\n{"key":"b"', 'line 2: Expected'],
    ['{"key":"a"}', 'line 1: '],
    ['{"key":"a","value":1,"x":2}', 'line 1: '],
    ['[]', 'line 1: '],
    [`{"key":"a","value":1}\n{"key":"${'k'.repeat(513)}","value":1}`, 'line 2: key: no entry can'],
    ['{"key":"","value":1}', 'line 1: key: no entry can'],
  ])('imports nothing of %j', async (text, reason) => {
    const { root, storage } = await open();
    writeFileSync(join(root, 'in.jsonl'), text);
    const { code, err } = await storage('import', join(root, 'in.jsonl'));
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        `[E_STORAGE_IMPORT] ${join(root, 'in.jsonl')} was not imported: ${reason}`,
      ),
    ]);
    expect(await storage('list')).toEqual(done(`No entries.${ELSEWHERE}\n`));
    expect(await storage('list', '--json')).toEqual(done());
  });

  it.each([
    [[], 'E_ARGUMENTS'],
    [['copy'], 'E_ARGUMENTS'],
    [['constructor'], 'E_ARGUMENTS'],
    [['get'], 'E_ARGUMENTS'],
    [['set', 'a'], 'E_ARGUMENTS'],
    [['set', 'a', 'text'], 'E_ARGUMENTS'],
    [['set', 'a', '1', '--ttl', 'soon'], 'E_DURATION'],
    [['get', 'x'.repeat(600)], 'E_STORAGE_VALUE'],
    [['import', 'missing.jsonl'], 'E_STORAGE_IMPORT'],
  ])('refuses %j', async (argv, code) => {
    const { storage } = await open();
    expect(await storage(...argv)).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining(`[${code}]`),
    });
  });

  it('uses the storage that the settings name', async () => {
    const { root, storage } = await open({
      'commands/a.ts': answering('a'),
      'virgule.config.ts': `import { defineConfig, sqlite } from 'virgule'; export default defineConfig({ storage: sqlite({ file: 'data/bot.db' }) });`,
    });
    await storage('set', 'a', '1');
    expect(await storage('get', 'a')).toEqual(done('1\n'));
    expect(readdirSync(join(root, 'data'))).toContain('bot.db');
  });

  it('creates no storage where there is no bot', async () => {
    const { storage } = await open({ 'readme.txt': '' });
    expect(await storage('list')).toMatchObject({
      code: 1,
      err: expect.stringContaining('[E_NO_COMMANDS_FOLDER]'),
    });
  });
});
