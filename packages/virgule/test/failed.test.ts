import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '@virgule/core/errors';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestBot } from '../src/testing.js';
import type { CliResult } from './run-cli.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

const ELSEWHERE = ' With `--dev`, the command uses the data of `virgule dev`.';
const EVENT = {
  id: '5-0',
  at: '2026-01-01T00:00:00.000Z',
  event: { t: 'APPLICATION_COMMAND', d: { rawInput: '/boom \u001b[31m' } },
  deliveries: 3,
};
const CHANNEL = '0b8f6a52-5d0a-4f1e-9a37-3a1d2c4e5f60';
const ASKED = `ask:0001795441478059:?${CHANNEL},${CHANNEL.replace('0b', '1c')}`;
const VOTED = ASKED.replace('ask', 'vote');
const RUN = 'remind:0001795441478059:8a1c9b1e-52c4';

/** A server of `scale` with one event, which another command line does not share. */
const SCALED = `
import { sqlite } from 'virgule';
const IS_OLD = false;
const events = new Map([['5-0', ${JSON.stringify(EVENT)}]]);
export default {
  storage: sqlite(),
  scale: {
    open: async ({ applicationId, env }) => {
      if (!applicationId || !env.BOT_TOKEN) throw new Error('unknown bot');
      return {
        deadEvents: async () => [...events.values()].map((event) => ({
          ...event,
          retry: async () => (IS_OLD ? 'too-old' : events.delete(event.id) ? event.id : undefined),
          drop: async () => events.delete(event.id),
        })),
        close: async () => {},
      };
    },
  },
};
`;

type RunWords = (...words: string[]) => Promise<Omit<CliResult, 'root'>>;

async function open(
  config: string,
  files: Readonly<Record<string, string>> = {},
): Promise<RunWords & { readonly root: string }> {
  const platform = await startSimulator({ pageDir: null });
  const project = await createTestProject({
    'commands/a.ts': answering('a'),
    'virgule.config.js': config,
    ...files,
  });
  onTestFinished(async () => {
    await project[Symbol.asyncDispose]();
    await platform.close();
  });
  const { token: BOT_TOKEN, baseUrl: BOT_BASE_URL, gatewayUrl: BOT_GATEWAY_URL } = platform;
  const env = { BOT_TOKEN, BOT_BASE_URL, BOT_GATEWAY_URL };
  const { root } = project;
  const runWords: RunWords = async (...words) => {
    const io = createTestIo({ cwd: root, env });
    return { code: await run(words, io), out: io.out, err: io.err };
  };
  return Object.assign(runWords, { root });
}

async function openRun(config = 'export default {};', files = {}) {
  const virgule = await open(config, files);
  const entry = {
    payload: { text: 'tea', channelId: CHANNEL },
    reason: 'no luck',
    at: '2026-01-02T00:00:00.000Z',
  };
  await virgule('storage', 'set', `tasks:failed:${RUN}`, JSON.stringify(entry), '--ttl', '1d');
  return virgule;
}

const SECRET = 'hunter22-made-up';

describe('virgule storage and virgule task', () => {
  it('print no secret, except in an export', async () => {
    const { root } = await open('export default {};', {
      'tasks/remind.js': 'export default { run() {} };',
    });
    async function virgule(...words: string[]): Promise<string> {
      const io = createTestIo({ cwd: root, env: { API_KEY: SECRET } });
      expect([await run(words, io), io.err]).toEqual([0, '']);
      return io.out;
    }
    const key = `tasks:failed:${RUN}`;
    const value = JSON.stringify({ payload: { [SECRET]: `"${SECRET}"` }, reason: SECRET });
    await virgule('storage', 'set', key, value);
    const clean = value.replaceAll(SECRET, '[redacted]');
    expect(await virgule('storage', 'list')).toBe(`${key}  ${clean}\n`);
    for (const words of [['get', key], ['list']]) {
      const out = await virgule('storage', ...words, '--json');
      expect(JSON.parse(out)).toEqual({ key, value: JSON.parse(clean) });
    }
    expect(JSON.parse(await virgule('storage', 'get', key))).toEqual(JSON.parse(clean));
    expect(await virgule('task', 'list')).toContain('{"[redacted]":"\\"[redacted]\\""}');
    expect(JSON.parse(await virgule('task', 'list', '--json'))).toMatchObject(JSON.parse(clean));
    expect(JSON.parse(await virgule('storage', 'export'))).toEqual({
      key,
      value: JSON.parse(value),
    });
  });
});

describe('virgule failed', () => {
  it('lists events that were set aside and runs that failed, without control characters', async () => {
    const virgule = await openRun(SCALED);
    const event = '/boom \\u001b[31m  delivered 3 times, and never ended';
    const task = `${RUN}  2026-01-02T00:00:00.000Z  remind  no luck\n`;
    expect(await virgule('failed', 'list')).toEqual({
      code: 0,
      out: `5-0  ${EVENT.at}  ${event}\n${task}`,
      err: '',
    });
    expect((await virgule('failed', 'list', '--dev')).out).toBe(task);
    const [first = '', second = ''] = (await virgule('failed', 'list', '--json')).out.split('\n');
    const { id, at, event: own } = EVENT;
    const dead = { v: 1, kind: 'event', id, at, frames: [own] };
    expect(JSON.parse(first)).toMatchObject(dead);
    expect(JSON.parse(second)).toMatchObject({
      kind: 'task',
      frames: [{ d: { payload: { text: 'tea' } } }],
    });
    expect(JSON.parse((await virgule('failed', 'show', '5-0')).out)).toMatchObject({
      frames: [own],
    });
    expect((await virgule('failed', 'show', '6-0')).code).toBe(1);
  });

  it('retries and drops an event', async () => {
    for (const action of ['retry', 'drop']) {
      const virgule = await open(SCALED);
      expect((await virgule('failed', action, '5-0')).code).toBe(0);
      const err = `No failure has the id 6-0.${ELSEWHERE}\n`;
      expect(await virgule('failed', action, '6-0')).toMatchObject({ code: 1, err });
    }
  });

  it('retries and drops a run of a task', async () => {
    const virgule = await openRun();
    const retried = await virgule('failed', 'retry', RUN);
    expect([retried.code, retried.out]).toEqual([0, expect.stringMatching(/^remind:/)]);
    expect((await virgule('task', 'list')).out).toContain('pending');
    expect((await virgule('failed', 'list')).out).toBe(`Nothing has failed.${ELSEWHERE}\n`);
    const other = await openRun();
    expect((await other('failed', 'drop', RUN)).code).toBe(0);
    expect((await other('failed', 'drop', RUN)).code).toBe(1);
    expect((await other('task', 'list')).out).toBe(`No runs.${ELSEWHERE}\n`);
  });

  it('writes a test of a record and warns about kept text', async () => {
    const virgule = await openRun();
    const at = '2026-01-02T00:00:00.000Z';
    const record = {
      v: 1,
      id: '7',
      kind: 'command',
      name: '/buy',
      at,
      reason: 'no\nluck',
      text: 'keep',
      frames: [{ t: 'APPLICATION_COMMAND', d: { rawInput: '/buy tea' }, atMs: 0 }],
      storage: [{ key: 'shop', dropped: true }],
    };
    const entries = { 7: record, 8: null, 9: 'other', 10: { ...record, id: '../../evil' } };
    for (const [key, value] of Object.entries(entries))
      await virgule('storage', 'set', `virgule:failed:${key}`, JSON.stringify(value));
    const listed = (await virgule('failed', 'list')).out.split('\n').slice(1);
    expect(listed).toEqual([`7  ${at}  /buy  no\\nluck`, '']);
    const out = 'tests/failed/7.json\ntests/failed/7.test.ts\n';
    const err = expect.stringMatching(
      /7\.json contains what users wrote[^]*too large are missing from 7\.json/,
    );
    expect(await virgule('failed', 'test', '7')).toEqual({ code: 0, out, err });
    expect((await virgule('failed', 'retry', '7')).code).toBe(1);
    const again = expect.stringMatching(/tests\/failed\/7\.\S+ exists already/);
    expect(await virgule('failed', 'test', '7')).toEqual({ code: 1, out: '', err: again });
    const folder = join(virgule.root, 'tests/failed');
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('/7.*\n');
    // An editor may leave out the last line break.
    await writeFile(join(folder, '.gitignore'), '*.log\n/7.*');
    await virgule(
      'storage',
      'set',
      'virgule:failed:11',
      JSON.stringify({ ...record, id: '11', text: 'shape' }),
    );
    for (const id of ['7', '11', '11']) {
      await rm(join(folder, `${id}.json`), { force: true });
      await rm(join(folder, `${id}.test.ts`), { force: true });
      expect((await virgule('failed', 'test', id)).code).toBe(0);
    }
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('*.log\n/7.*\n/11.*\n');
    expect((await stat(join(folder, '7.json'))).mode & 0o777).toBe(0o600);
  });

  it('writes the test of the guide', async () => {
    const virgule = await open('export default {};');
    const frames = [{ t: 'APPLICATION_COMMAND', d: { rawInput: '/buy 0' }, atMs: 0 }];
    const at = '2026-11-20T03:12:09.120Z';
    const record = {
      v: 1,
      id: '12',
      kind: 'command',
      name: '/buy',
      at,
      reason: 'x',
      text: 'shape',
      frames,
    };
    await writeFile(join(virgule.root, '12.json'), JSON.stringify(record));
    await virgule('failed', 'test', '12.json');
    const test = await readFile(join(virgule.root, 'tests/failed/12.test.ts'), 'utf8');
    const guide = await readFile(new URL('../../../docs/guide/failed.md', import.meta.url), 'utf8');
    expect(guide).toContain(test.slice(test.indexOf('  await using')));
  });

  it('writes a test of a record that a built bot has printed', async () => {
    const virgule = await open('export default {};');
    const frames = [{ t: 'APPLICATION_COMMAND', d: { rawInput: '/a' }, atMs: 0 }];
    const record = { v: 1, kind: 'command', name: '/a', at: EVENT.at, reason: 'x', frames };
    const file = join(virgule.root, 'printed.json');
    await writeFile(file, JSON.stringify({ ...record, id: '7', text: 'shape' }));
    const out = 'tests/failed/7.json\ntests/failed/7.test.ts\n';
    const note = expect.stringContaining('values in printed.json. Only run it if');
    expect(await virgule('failed', 'test', 'printed.json')).toEqual({ code: 0, out, err: note });
    const files = await readdir(join(virgule.root, 'tests/failed'));
    expect(files.toSorted()).toEqual(['.gitignore', '7.json', '7.test.ts']);
    const [frame] = frames;
    const valid = { ...record, id: '9' };
    const deep = `{"a":`.repeat(200_000) + '1' + '}'.repeat(200_000);
    const stored = JSON.stringify({ ...valid, storage: [{ key: 'a', value: 'DEEP' }] });
    const { id: _, ...nameless } = valid;
    for (const [text, reason] of [
      ['', 'printed.json cannot be replayed: Unexpected end of JSON input.'],
      ['Nothing', 'printed.json cannot be replayed: Unexpected token'],
      [{ ...valid, v: 2 }, 'replayed: v: this version of Virgule reads only records of version 1.'],
      [nameless, 'replayed: id: Invalid input: expected string'],
      [{ ...record, id: '../../evil' }, 'replayed: id: '],
      [{ ...record, id: '7'.repeat(300) }, 'replayed: id: '],
      [{ ...valid, frames: [] }, 'replayed: it has no event that can be read.'],
      [{ ...valid, frames: [{ ...frame, atMs: 1e300 }] }, 'replayed: frames.0.atMs: '],
      [stored.replace('"DEEP"', deep), 'tests/failed cannot be written: Maximum call stack'],
    ] as const) {
      await writeFile(file, typeof text === 'string' ? text : JSON.stringify(text));
      const err = expect.stringContaining(reason);
      expect(await virgule('failed', 'test', 'printed.json')).toEqual({ code: 1, out: '', err });
    }
    // The form of the text is unknown.
    const name = '/a \u009b31m\u202e';
    await writeFile(file, JSON.stringify({ ...record, id: '8', name }));
    expect((await virgule('failed', 'test', 'printed.json')).err).toContain('git ignores both');
    const source = await readFile(join(virgule.root, 'tests/failed/8.test.ts'), 'utf8');
    expect(source).toContain(String.raw`command /a \\u009b31m\\u202e does not`);
    const err = expect.stringMatching(
      /none\.json cannot be replayed: ENOENT[^]*Pass the output of `failed test ID`/,
    );
    expect(await virgule('failed', 'test', 'none.json')).toEqual({ code: 1, out: '', err });
  });

  it('reports why the files of a test cannot be written', async () => {
    const virgule = await openRun(undefined, {
      'tasks/remind.ts': 'export default { payload: undefined, run() {} };',
      tests: 'no folder',
    });
    const err = expect.stringMatching(
      /E_STATE_UNWRITABLE\] tests\/failed cannot be written: E\w+: [^]*make tests\/failed writable/,
    );
    expect(await virgule('failed', 'test', RUN)).toEqual({ code: 1, out: '', err });
  });

  it('reports that an event cannot be replayed because it cannot be read', async () => {
    const virgule = await open(SCALED.replace('"event":{"t"', '"other":{"t"'));
    const err = expect.stringContaining('failure cannot be replayed: it has no event that can be');
    expect(await virgule('failed', 'test', '5-0')).toEqual({ code: 1, out: '', err });
  });

  it('prints and writes no secret, also one of the mode', async () => {
    const virgule = await open(`export default { failed: { text: 'keep' } };`, {
      '.env.production': 'SHOP_API_KEY=sk-live-4711\n',
      '.env.stage': 'SHOP_API_KEY=sk-stage-4711\n',
      'tasks/remind.ts': 'export default { payload: undefined, run() {} };',
    });
    for (const [id, flags] of [
      ['live', []],
      ['stage', ['--mode', 'stage']],
    ] as const) {
      const run = `${RUN}${id}`;
      const entry = { payload: { key: `sk-${id}-4711` }, reason: `no sk-${id}-4711` };
      await virgule('storage', 'set', `tasks:failed:${run}`, JSON.stringify(entry));
      for (const words of [['list'], ['list', '--json'], ['show', run], ['test', run]]) {
        const { code, out, err } = await virgule('failed', ...words, ...flags);
        expect([words, code, out + err]).toEqual([
          words,
          0,
          expect.not.stringContaining(entry.payload.key),
        ]);
      }
      const folder = join(virgule.root, 'tests/failed');
      const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
      expect(files).toHaveLength(1);
      for (const file of files) {
        const text = await readFile(join(folder, file), 'utf8');
        expect(text).toContain('[redacted]');
        expect(text).not.toContain(entry.payload.key);
      }
      await rm(folder, { recursive: true });
    }
  });

  it('lists all records next to entries in other forms, without control characters', async () => {
    const virgule = await open('export default {};');
    const frames = [{ t: 'APPLICATION_COMMAND', d: { rawInput: '/a \u009b31m\u202e' }, atMs: 0 }];
    const record = {
      v: 1,
      id: '7',
      kind: 'command',
      name: '/a',
      at: EVENT.at,
      reason: 'x',
      frames,
    };
    await virgule('storage', 'set', 'virgule:failed:000000007', JSON.stringify(record));
    await virgule('storage', 'set', 'virgule:failed:000000009', '{"id":"9"}');
    const { code, out } = await virgule('failed', 'list', '--json');
    expect(code).toBe(0);
    expect(out).not.toMatch(/[\u009b\u202e]/);
    expect(JSON.parse(out)).toMatchObject({ id: '7', frames });
  });

  it.each([
    ['a run of a task', RUN, '20260102000000000', 'a task'],
    ['an answer to a question', ASKED, '20260103000000000', 'an answer'],
    ['votes', VOTED, '20260103000000000', 'two votes'],
    ['an event that was set aside', '5-0', '20260101000000000', 'a boom'],
  ])('writes a test of %s, which fails until the fix', async (_, failure, id, reason) => {
    const filesOf = (isFixed: boolean) => ({
      'commands/boom.ts': `
        import * as z from 'zod';
        export default {
          description: 'Boom', options: z.object({ text: z.string() }),
          run({ options: { text } }) {
            if (!${isFixed} && text.length === 5) throw new Error('a boom');
            return 'ok';
          },
        };`,
      'tasks/remind.ts': `
        import * as z from 'zod';
        export default {
          payload: z.object({ text: z.string(), channelId: z.string() }),
          async run({ payload: { text, channelId }, channel, clock }) {
            await clock.sleep('2s');
            await channel(channelId).send('now');
            if (!${isFixed} && text.length === 3) throw new Error('a task');
          },
        };`,
      'tasks/ask.ts': `
        import * as z from 'zod';
        export default {
          waits: 'confirm', payload: z.string(),
          async run({ answer: { yes }, question }) {
            await question.edit('answered');
            if (!${isFixed} && yes) throw new Error('an answer');
          },
        };`,
      'lib/votes-of.ts': "export const votesOf = (votes) => [votes['1️⃣'], votes['2️⃣']];",
      'tasks/vote.ts': `
        import * as z from 'zod';
        import { votesOf } from '../lib/votes-of.js';
        export default {
          waits: 'votes', payload: z.string(),
          run({ answer }) {
            const [one = [], two = []] = votesOf(answer);
            if (!${isFixed} && one.length < two.length) throw new Error('two votes');
          },
        };`,
    });
    const virgule = await openRun(SCALED, filesOf(false));
    const entry = { payload: 'tea', answer: { yes: true, userId: CHANNEL }, reason: 'no luck' };
    const asked = JSON.stringify({ ...entry, at: '2026-01-03T00:00:00.000Z' });
    await virgule('storage', 'set', `tasks:failed:${ASKED}`, asked);
    const votes = { '1️⃣': [], '2️⃣': [CHANNEL] };
    const voted = JSON.stringify({ ...entry, answer: votes, at: '2026-01-03T00:00:00.000Z' });
    await virgule('storage', 'set', `tasks:failed:${VOTED}`, voted);
    expect((await virgule('failed', 'test', failure)).out).toContain(`tests/failed/${id}.json`);
    const failed = join(virgule.root, `tests/failed/${id}.json`);
    expect(await readFile(failed, 'utf8')).not.toContain('tea');
    const outcomes = [];
    for (const isFixed of [false, true]) {
      const { root } = await open('export default {};', filesOf(isFixed));
      await using bot = await createTestBot({ root, failed });
      const { error, result } = await bot.replay();
      outcomes.push(error === undefined ? result : errorText(error));
    }
    expect(outcomes).toEqual([reason, 'ok']);
  });

  it('reports that a command is too old to be retried', async () => {
    const virgule = await open(SCALED.replace('IS_OLD = false', 'IS_OLD = true'));
    expect(await virgule('failed', 'retry', '5-0')).toMatchObject({
      code: 1,
      out: '',
      err: '/boom \\u001b[31m is not retried: this work is too old to be answered.\n',
    });
  });

  it.each([[[]], [['list', '5-0']], [['show']], [['delete', '5-0']], [['drop', '5-0', '6-0']]])(
    'refuses %j',
    async (words) => {
      const virgule = await open('export default {};');
      expect((await virgule('failed', ...words)).err).toContain('E_ARGUMENTS');
    },
  );
});
