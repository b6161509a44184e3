import { describe, expect, it } from 'vitest';
import { CHANNEL, SERVER } from '../../test/ids.js';
import { createRecordedLog } from '../../test/recorded-log.js';
import { startCommand, startTestBot, type TestBot } from '../../test/test-bot.js';
import * as z from 'zod';
import type { CommandContext } from './context/command-context.js';
import { DEFAULT_TEXTS, resolveTexts, type TextContext, type Texts } from './texts.js';

/** Every text is different, so that a test sees which one was shown. */
const OWN: Texts = {
  inputFailure: ({ kind, usage }) => `input ${kind} ${usage}`,
  unknownCommand: ({ name }) => `unknown ${name}`,
  restarting: 'restarting',
  interrupted: 'interrupted',
  failed: ({ cause }) => `failed ${cause}`,
  timedOut: 'timed out',
  cooldown: ({ name, leftMs }) => `cooldown ${name} ${leftMs}`,
  tooBusy: ({ name }) => `busy ${name}`,
  authorUnknown: ({ name, usage }) => `author ${name} ${usage}`,
  approval: ({ name, line }) => `approve ${name} ${line}`,
  silent: 'silent',
  waitClosed: 'wait closed',
};

const forever = (): Promise<never> => new Promise(() => {});
const slowNull = async ({ clock }: CommandContext): Promise<null> => {
  await clock.sleep('2s');
  return null;
};

const resolved = (texts: Partial<Texts>, log = createRecordedLog()) =>
  resolveTexts(texts, log, () => ({ services: {}, env: {} }));

const WHERE: TextContext = { serverId: SERVER, channelId: CHANNEL, services: {}, env: {} };

describe('the texts of a bot', () => {
  const own = (definition: Parameters<typeof startCommand>[0] | object) =>
    startCommand({ run: () => 'done', ...definition }, { texts: OWN });

  it.each<[keyof Texts, object, (bot: TestBot) => Promise<unknown>, string]>([
    [
      'inputFailure',
      { options: z.object({ n: z.int() }) },
      (bot) => bot.run('/x'),
      'input missing /x <n>',
    ],
    ['unknownCommand', {}, (bot) => bot.run('/gone'), 'unknown gone'],
    [
      'failed',
      { run: () => Promise.reject(new Error('no')) },
      (bot) => bot.run('/x'),
      'failed undefined',
    ],
    ['silent', { run: slowNull }, (bot) => later(bot, 2_000), 'silent'],
    ['timedOut', { timeout: '1s', run: forever }, (bot) => later(bot, 1_000), 'timed out'],
    ['cooldown', { cooldown: '5s' }, (bot) => twice(bot), 'cooldown x 5000'],
    [
      'tooBusy',
      { concurrency: { max: 1, when: 'reject' }, run: forever },
      (bot) => both(bot),
      'busy x',
    ],
    ['restarting', { run: forever }, (bot) => closing(bot), 'restarting'],
  ])('can be another one: %s', async (_, definition, play, text) => {
    const bot = await own(definition);
    await play(bot);
    expect(bot.lines.filter((line) => line.startsWith('respond')).at(-1)).toBe(`respond ${text}`);
  });

  it('leave the others as they are', async () => {
    const bot = await startTestBot({}, { texts: { silent: 'Erledigt.', timedOut: undefined } });
    expect(await bot.run('/gone')).toEqual(['respond This bot no longer has a command /gone.']);
    expect(resolved({ timedOut: undefined }).timedOut(WHERE)).toBe(DEFAULT_TEXTS.timedOut);
  });

  it('show the cause in development only', async () => {
    const bot = await startCommand(
      { run: () => Promise.reject(new TypeError('no database')) },
      { texts: OWN, development: true },
    );
    expect(await bot.run('/x')).toEqual(['respond failed TypeError: no database']);
  });
});

describe('a text', () => {
  it('knows the server, the channel, the services and the environment', async () => {
    const bot = await startCommand(
      { cooldown: '5s', run: () => 'hi' },
      {
        env: { LANGUAGE: 'de' },
        texts: {
          cooldown: ({ name, leftMs, serverId, channelId, services, env }) =>
            JSON.stringify([name, leftMs, serverId, channelId, services, env]),
        },
      },
    );
    await twice(bot);
    const facts = JSON.stringify(['x', 5_000, SERVER, CHANNEL, {}, { LANGUAGE: 'de' }]);
    expect(bot.lines).toEqual(['respond hi', `respond ${facts}`]);
  });

  it.each(['restarting', 'silent', 'timedOut', 'waitClosed'] as const)(
    'can be a function for %s, as each can be a string',
    (name) => {
      const { [name]: text, tooBusy } = resolved({
        [name]: ({ channelId }: TextContext) => `in ${channelId}`,
        tooBusy: 'Busy.',
      });
      expect(text(WHERE)).toBe(`in ${CHANNEL}`);
      expect(tooBusy({ name: 'x', typed: '/x', ...WHERE })).toBe('Busy.');
    },
  );
});

describe('resolveTexts', () => {
  it.each<[string, Texts['tooBusy']]>([
    [
      'throws',
      () => {
        throw new Error('no words');
      },
    ],
    ['is empty', () => ''],
    ['is a promise', () => Promise.reject(new Error('no words')) as unknown as string],
    // JavaScript may return anything, against the types.
    ['is no text', () => 7 as unknown as string],
  ])('uses the default in place of a text that %s, and logs it', (_, tooBusy) => {
    const log = createRecordedLog();
    const texts = resolved({ tooBusy }, log);
    expect(texts.tooBusy({ name: 'x', typed: '/x', ...WHERE })).toBe(
      DEFAULT_TEXTS.tooBusy({ name: 'x', typed: '/x', ...WHERE }),
    );
    expect(log.at('error')).toEqual([expect.stringContaining('the text "tooBusy"')]);
  });

  it('cuts a text that no message can carry', () => {
    const { unknownCommand } = resolved({ unknownCommand: () => 'x'.repeat(3_000) });
    expect(unknownCommand({ name: 'x', usage: undefined, ...WHERE })).toHaveLength(2_000);
  });

  it.each([
    [1, '1 second'],
    [1_000, '1 second'],
    [1_001, '2 seconds'],
    [119_000, '119 seconds'],
    [120_000, '2 minutes'],
    [7_140_001, '2 hours'],
    [7_200_000, '2 hours'],
  ])('says a wait of %d ms as %s', (leftMs, words) => {
    expect(DEFAULT_TEXTS.cooldown({ name: 'x', typed: '/x', leftMs, ...WHERE })).toBe(
      `Please wait ${words} before you use /x again.`,
    );
  });
});

async function later(bot: TestBot, ms: number): Promise<void> {
  bot.type('/x');
  await bot.clock.advance(ms);
}

async function twice(bot: TestBot): Promise<void> {
  await bot.run('/x');
  await bot.run('/x');
}

async function both(bot: TestBot): Promise<void> {
  bot.type('/x');
  await later(bot, 0);
}

async function closing(bot: TestBot): Promise<void> {
  await later(bot, 0);
  const closed = bot.bot.close();
  await bot.clock.advance(10_000);
  await closed;
}
