import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, type CliResult } from './run-cli.js';

const EVENT = {
  id: '5-0',
  at: '2026-01-01T00:00:00.000Z',
  event: { t: 'APPLICATION_COMMAND', d: { rawInput: '/boom \u001b[31m' } },
  deliveries: 3,
};

/** A server of `scale` with one event, which prints what is done to it. */
const CONFIG = `
const IS_OLD = false;
const events = new Map([['5-0', ${JSON.stringify(EVENT)}]]);
const remove = async (id) => events.delete(id);
export default {
  scale: {
    open: async ({ applicationId, env }) => {
      if (!applicationId || !env.BOT_TOKEN) throw new Error('unknown bot');
      return {
        dead: {
          list: async () => [...events.values()],
          get: async (id) => events.get(id),
          replay: async (id) => (IS_OLD ? 'too-old' : events.delete(id)),
          drop: remove,
        },
        close: async () => {},
      };
    },
  },
};
`;

async function dead(words: readonly string[], config = CONFIG): Promise<CliResult> {
  const platform = await startSimulator({ pageDir: null });
  onTestFinished(() => platform.close());
  const { token: BOT_TOKEN, baseUrl: BOT_BASE_URL, gatewayUrl: BOT_GATEWAY_URL } = platform;
  const env = { BOT_TOKEN, BOT_BASE_URL, BOT_GATEWAY_URL };
  return runCli({ 'virgule.config.js': config }, ['dead', ...words], { env });
}

describe('virgule dead', () => {
  it('lists and shows events without their control characters', async () => {
    expect(await dead(['list'])).toMatchObject({
      code: 0,
      out: '5-0  2026-01-01T00:00:00.000Z  3 times  /boom \\u001b[31m\n',
    });
    const shown = await dead(['show', '5-0']);
    expect(JSON.parse(shown.out)).toEqual(EVENT);
    const listed = await dead(['list', '--json']);
    expect(JSON.parse(listed.out)).toEqual({ v: 1, ...EVENT });
    const none = CONFIG.replace('[...events.values()]', '[]');
    expect((await dead(['list'], none)).out).toBe('No events were set aside.\n');
  });

  it('replays and drops one', async () => {
    for (const action of ['replay', 'drop']) {
      expect(await dead([action, '5-0'])).toMatchObject({ code: 0 });
      expect(await dead([action, '6-0'])).toMatchObject({
        code: 1,
        err: 'There is no event 6-0.\n',
      });
    }
  });

  it('reports that a command is too old to be replayed', async () => {
    const config = CONFIG.replace('IS_OLD = false', 'IS_OLD = true');
    expect(await dead(['replay', '5-0'], config)).toMatchObject({
      code: 1,
      out: '',
      err: '/boom \\u001b[31m is not replayed: it is too old to be answered.\n',
    });
  });

  it.each([[[]], [['list', '5-0']], [['show']], [['delete', '5-0']], [['drop', '5-0', '6-0']]])(
    'refuses %j',
    async (words) => {
      expect((await dead(words)).err).toContain('E_ARGUMENTS');
    },
  );

  it('needs a bot of several processes', async () => {
    expect((await dead(['list'], 'export default {};')).err).toContain('E_NOT_SCALED');
  });
});
