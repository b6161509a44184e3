import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import type { CliResult } from './run-cli.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

const EVENT = {
  id: '5-0',
  at: '2026-01-01T00:00:00.000Z',
  event: { t: 'APPLICATION_COMMAND', d: { rawInput: '/boom \u001b[31m' } },
  deliveries: 3,
};
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
        dead: {
          list: async () => [...events.values()],
          replay: async (id) => (IS_OLD ? 'too-old' : events.delete(id)),
          drop: async (id) => events.delete(id),
        },
        close: async () => {},
      };
    },
  },
};
`;

type RunWords = (...words: string[]) => Promise<Omit<CliResult, 'root'>>;

async function open(config: string): Promise<RunWords> {
  const platform = await startSimulator({ pageDir: null });
  const project = await createTestProject({
    'commands/a.ts': answering('a'),
    'virgule.config.js': config,
  });
  onTestFinished(async () => {
    await project[Symbol.asyncDispose]();
    await platform.close();
  });
  const { token: BOT_TOKEN, baseUrl: BOT_BASE_URL, gatewayUrl: BOT_GATEWAY_URL } = platform;
  const env = { BOT_TOKEN, BOT_BASE_URL, BOT_GATEWAY_URL };
  return async (...words) => {
    const io = createTestIo({ cwd: project.root, env });
    return { code: await run(words, io), out: io.out, err: io.err };
  };
}

async function openRun(config = 'export default {};'): Promise<RunWords> {
  const virgule = await open(config);
  const entry = { payload: { text: 'tea' }, reason: 'no luck', at: '2026-01-02T00:00:00.000Z' };
  await virgule('storage', 'set', `tasks:failed:${RUN}`, JSON.stringify(entry), '--ttl', '1d');
  return virgule;
}

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
    expect(JSON.parse(first)).toMatchObject({ v: 1, kind: 'event', ...EVENT });
    expect(JSON.parse(second)).toMatchObject({ v: 1, kind: 'task', payload: { text: 'tea' } });
    expect(JSON.parse((await virgule('failed', 'show', '5-0')).out)).toMatchObject(EVENT);
    expect((await virgule('failed', 'show', '6-0')).code).toBe(1);
  });

  it('retries and drops an event', async () => {
    for (const action of ['retry', 'drop']) {
      const virgule = await open(SCALED);
      expect((await virgule('failed', action, '5-0')).code).toBe(0);
      const err = 'Nothing that failed has the id 6-0.\n';
      expect(await virgule('failed', action, '6-0')).toMatchObject({ code: 1, err });
    }
  });

  it('retries and drops a run of a task', async () => {
    const virgule = await openRun();
    const retried = await virgule('failed', 'retry', RUN);
    expect([retried.code, retried.out]).toEqual([0, expect.stringMatching(/^remind:/)]);
    expect((await virgule('task', 'list')).out).toContain('pending');
    expect((await virgule('failed', 'list')).out).toBe('Nothing has failed.\n');
    const other = await openRun();
    expect((await other('failed', 'drop', RUN)).code).toBe(0);
    expect((await other('failed', 'drop', RUN)).code).toBe(1);
    expect((await other('task', 'list')).out).toBe('');
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
    };
    const entries = { 7: record, 8: null, 9: 'other', 10: { ...record, id: '../../evil' } };
    for (const [key, value] of Object.entries(entries))
      await virgule('storage', 'set', `virgule:failed:${key}`, JSON.stringify(value));
    const listed = (await virgule('failed', 'list')).out.split('\n').slice(1);
    expect(listed).toEqual([`7  ${at}  /buy  no\\nluck`, '']);
    const out = 'tests/failed/7.json\ntests/failed/7.test.ts\n';
    const err = expect.stringContaining('7.json contains what users wrote');
    expect(await virgule('failed', 'test', '7')).toEqual({ code: 0, out, err });
    expect((await virgule('failed', 'test', RUN)).err).toBe(`${RUN} was not recorded.\n`);
    expect((await virgule('failed', 'retry', '7')).code).toBe(1);
    const again = expect.stringMatching(/tests\/failed\/7\.\S+ exists already/);
    expect(await virgule('failed', 'test', '7')).toEqual({ code: 1, out: '', err: again });
  });

  it('reports that a command is too old to be retried', async () => {
    const virgule = await open(SCALED.replace('IS_OLD = false', 'IS_OLD = true'));
    expect(await virgule('failed', 'retry', '5-0')).toMatchObject({
      code: 1,
      out: '',
      err: '/boom \\u001b[31m is not retried: it is too old to be answered.\n',
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
