import type { BotEvent, QueuedDelivery } from '../command/gateway-port.js';
import { describe, expect, it } from 'vitest';
import { createFakeGateway } from '../../test/fake-gateway.js';
import { BOT_USER, CHANNEL, interactionId, OTHER_USER, SERVER } from '../../test/ids.js';
import { messageWith } from '../../test/messages.js';
import { projectOf, type Modules } from '../../test/project-of.js';
import { settle, startTestBot, type TestBotOptions } from '../../test/test-bot.js';
import { alreadyAnswered, gone, refused, unreachable } from '../../test/client-failures.js';
import { createRecordedLog } from '../../test/recorded-log.js';
import { createFakeRest } from '../../test/fake-rest.js';
import { createFakeClock } from '@virgule/core/clock';
import { defineCommand } from '../command/define/define-command.js';
import { defineEvent } from '../events/define-event.js';
import { givenServices } from '../services/create-services.js';
import { createBot } from './running-bot.js';

const READY = 'commands/x.ts';

const nothingThere = (status: number): Error =>
  refused(status, 'bot_interaction_response_not_found');

/** Starts a bot that gets its events from a queue. */
async function startQueuedBot(modules: Modules, options: TestBotOptions = {}) {
  const bot = await startTestBot(modules, options);
  const ended: string[] = [];
  let count = 0;
  const deliver = (
    name: string,
    event: Pick<BotEvent, 't' | 'd'>,
    queued: Partial<QueuedDelivery> = {},
    ageMs = 0,
  ): void =>
    bot.gateway.deliver({
      ...event,
      receivedAtMs: bot.clock.monotonic() - ageMs,
      queued: { to: 'handlers', isDeferred: false, ended: () => void ended.push(name), ...queued },
    });
  return {
    ...bot,
    get lines() {
      return bot.lines;
    },
    ended,
    say: (content: string, queued?: Partial<QueuedDelivery>) =>
      deliver(
        content,
        { t: 'MESSAGE_CREATE', d: messageWith({ content, authorId: OTHER_USER }) },
        queued,
      ),
    run(name: string, queued?: Partial<QueuedDelivery>, id = (count += 1), ageMs = 0) {
      const d = {
        interactionId: interactionId(id),
        serverId: SERVER,
        channelId: CHANNEL,
        name,
        rawInput: `/${name}`,
      };
      deliver(`/${name}`, { t: 'APPLICATION_COMMAND', d }, queued, ageMs);
    },
  };
}

/** Handlers that end when the test says so, by what started them. */
function createGates() {
  const open = new Map<string, () => void>();
  return {
    pass: async (name: string): Promise<void> => {
      open.get(name)?.();
      await settle();
    },
    wait: (name: string): Promise<void> =>
      new Promise((resolve) => {
        open.set(name, resolve);
      }),
  };
}

describe('an event from a queue', () => {
  it('pass on commands that the bot does not have, and are handled if they come back', async () => {
    const bot = await startQueuedBot({
      [READY]: { default: { description: 'x', run: () => 'x' } },
    });
    let isPassedOn = true;
    const queued = { passOn: () => isPassedOn };
    bot.run('new', queued, 100);
    await bot.bot.idle();
    expect([bot.lines, bot.ended]).toEqual([[], ['/new']]);
    isPassedOn = false;
    bot.run('new', queued, 100);
    await bot.bot.idle();
    expect(bot.lines).toEqual([expect.stringContaining('new')]);
    // One that it has is its own.
    isPassedOn = true;
    bot.run('x', queued);
    await bot.bot.idle();
    expect(bot.lines).toHaveLength(2);
    expect(bot.ended).toEqual(['/new', '/new', '/x']);
  });

  it('has ended when its command has, or when none was started', async () => {
    const gates = createGates();
    const run = async (): Promise<string> => {
      await gates.wait('x');
      return 'done';
    };
    const bot = await startQueuedBot({ [READY]: { default: { description: 'Does x', run } } });
    bot.run('x');
    bot.run('missing');
    bot.say('no handler');
    await settle();
    expect(bot.ended).toEqual(['no handler', '/missing']);
    await gates.pass('x');
    expect(bot.ended).toEqual(['no handler', '/missing', '/x']);
    expect(bot.lines).toContain('respond done');
  });

  it('has ended when all its handlers have, also those that wait for their turn', async () => {
    const gates = createGates();
    const bot = await startQueuedBot({
      'events/message-create/first.ts': {
        default: defineEvent('MESSAGE_CREATE', ({ data }) => gates.wait(data.content)),
      },
    });
    bot.say('one');
    bot.say('two');
    await settle();
    expect(bot.ended).toEqual([]);
    await gates.pass('one');
    expect(bot.ended).toEqual(['one']);
    await gates.pass('two');
    expect(bot.ended).toEqual(['one', 'two']);
    expect(bot.bot.running).toBe(0);
  });

  it('that comes before the services has ended when what it started then has', async () => {
    const gates = createGates();
    let make: (services: object) => void = () => {};
    const created = new Promise<object>((resolve) => (make = resolve));
    const run = (): Promise<void> => gates.wait('x');
    const bot = await startQueuedBot(
      { [READY]: { default: { description: 'Does x', run } } },
      { services: { ...givenServices(), created } },
    );
    bot.run('x');
    bot.say('hello');
    await settle();
    expect(bot.ended).toEqual([]);
    make({});
    await settle();
    expect(bot.ended).toEqual(['hello']);
    await gates.pass('x');
    expect(bot.ended).toEqual(['hello', '/x']);
  });

  it('that comes before the services is left to another process by a bot that ends without them', async () => {
    const created = new Promise<object>(() => {});
    const bot = await startQueuedBot(
      { 'events/message-create.ts': { default: defineEvent('MESSAGE_CREATE', () => {}) } },
      { services: { ...givenServices(), created } },
    );
    bot.say('hello');
    const closed = bot.bot.close();
    await bot.clock.advance(20_000);
    await closed;
    expect(bot.ended).toEqual([]);
  });

  it('reaches waits as a copy for them, and handlers as one for handlers', async () => {
    const handled: string[] = [];
    const bot = await startQueuedBot({
      [READY]: {
        default: defineCommand({
          description: 'Does x',
          intents: ['SERVER_MESSAGES'],
          run: async ({ waitForMessage }) => (await waitForMessage({ within: '1m' }))?.content,
        }),
      },
      'events/message-create.ts': {
        default: defineEvent('MESSAGE_CREATE', ({ data }) => void handled.push(data.content)),
      },
    });
    bot.run('x');
    await settle();
    bot.say('for handlers');
    bot.say('for waits', { to: 'waits' });
    await settle();
    expect(handled).toEqual(['for handlers']);
    expect(bot.lines).toEqual(['respond for waits']);
    expect(bot.ended).toEqual(['for handlers', 'for waits', '/x']);
  });

  it('whose command may be deferred already is filled in when it stays silent', async () => {
    const bot = await startQueuedBot({
      [READY]: { default: { description: 'Does x', run: () => null } },
    });
    bot.run('x');
    await settle();
    bot.run('x', { isDeferred: true });
    await settle();
    expect(bot.lines).toEqual(['ack', 'respond Done.']);
    const silent = await startQueuedBot({
      [READY]: { default: { description: 'Does x', silent: true, run: () => null } },
    });
    silent.run('x', { isDeferred: true });
    await settle();
    expect(silent.lines).toEqual([]);
  });

  it('whose command was answered by a process that has ended is no failure', async () => {
    const bot = await startQueuedBot({
      [READY]: { default: { description: 'Does x', run: () => 'again' } },
    });
    for (const isDeferred of [true, false]) {
      bot.rest.once('interactions.respond', alreadyAnswered());
      bot.run('x', { isDeferred });
      await settle();
    }
    expect(bot.log.at('error')).toEqual([expect.stringContaining('/x failed')]);
    expect(bot.lines).toEqual(['respond again', 'respond again']);
  });

  it('whose command ended its process too often gets the text of a failure, and no handler', async () => {
    const ran: string[] = [];
    const bot = await startQueuedBot({
      [READY]: { default: { description: 'Does x', run: () => void ran.push('x') } },
    });
    bot.run('x', { isDeferred: true, isSetAside: true });
    await settle();
    expect([ran, bot.lines, bot.ended]).toEqual([[], ['respond Something went wrong.'], ['/x']]);
  });

  it('is deferred again in time when it is unknown whether it was', async () => {
    const gates = createGates();
    const run = async (): Promise<string> => {
      await gates.wait('x');
      return 'done';
    };
    const bot = await startQueuedBot({ [READY]: { default: { description: 'Does x', run } } });
    bot.run('x', { isDeferred: true });
    await bot.clock.advance(1_500);
    expect(bot.lines).toEqual(['defer']);
    await gates.pass('x');
    expect(bot.lines).toEqual(['defer', 'respond done']);
  });
});

describe('a command that a worker which is gone may have run', () => {
  const AGAIN = { isDeferred: true, isAgain: true } as const;
  const message = messageWith({ content: 'before', authorId: BOT_USER });
  const respond = { [READY]: { default: { description: 'Does x', run: () => 'again' } } };

  it.each<[string, unknown, readonly string[]]>([
    ['exists: it is replaced', message, ['edit again']],
    ['does not exist: 404', nothingThere(404), ['edit again', 'defer', 'edit again']],
    ['does not exist: 409', nothingThere(409), ['edit again', 'defer', 'edit again']],
    ['may not exist: 200 without a message', undefined, ['edit again', 'defer', 'edit again']],
  ])('never creates a second answer, when the first one %s', async (_, outcome, lines) => {
    const bot = await startQueuedBot(respond);
    bot.rest.once('interactions.editResponse', outcome);
    bot.run('x', AGAIN);
    await bot.bot.idle();
    expect(bot.lines).toEqual(lines);
    expect(bot.log.at('error')).toEqual([]);
  });

  it.each<[string, boolean | undefined, readonly string[], number]>([
    ['it alone has it', true, ['respond again'], 0],
    ['that is unknown', undefined, ['edit again'], 0],
    ['another one has it', false, [], 1],
  ])('answers after its process was suspended, if %s', async (_, isOwn, lines, errors) => {
    const bot = await startQueuedBot(respond);
    bot.rest.always('interactions.editResponse', message);
    bot.run('x', { isOwn: async () => isOwn });
    await bot.bot.idle();
    expect(bot.lines).toEqual(lines);
    expect(bot.log.at('error')).toHaveLength(errors);
  });

  it.each([
    ['a thinking state', message, ['ack', 'edit Done.']],
    ['nothing', nothingThere(404), ['ack', 'edit Done.']],
  ])('that answers nothing ends %s, and creates no answer', async (_, outcome, lines) => {
    const bot = await startQueuedBot({
      [READY]: { default: { description: 'Does x', run: () => null } },
    });
    bot.rest.once('interactions.editResponse', outcome);
    bot.run('x', AGAIN);
    await bot.bot.idle();
    expect([bot.lines, bot.log.at('warn')]).toEqual([lines, []]);
  });

  it('that is silent is acknowledged again, when it ends or when it is slow', async () => {
    const gates = createGates();
    const bot = await startQueuedBot({
      [READY]: { default: { description: 'Does x', silent: true, run: () => null } },
      'commands/slow.ts': {
        default: { description: 'Slow', silent: true, run: () => gates.wait('slow') },
      },
    });
    bot.run('x', AGAIN);
    await bot.bot.idle();
    expect(bot.lines).toEqual(['ack']);
    bot.run('slow', AGAIN);
    await bot.clock.advance(1_500);
    expect(bot.lines).toEqual(['ack', 'ack']);
    await gates.pass('slow');
    expect(bot.lines).toEqual(['ack', 'ack']);
  });

  it('that is slow is deferred once more', async () => {
    const gates = createGates();
    const run = (): Promise<string> => gates.wait('x').then(() => 'done');
    const bot = await startQueuedBot({ [READY]: { default: { description: 'Does x', run } } });
    bot.rest.always('interactions.editResponse', message);
    bot.run('x', AGAIN);
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['defer']);
    await gates.pass('x');
    expect(bot.lines).toEqual(['defer', 'edit done']);
  });

  it.each([
    ['replaced: they were there', [{ id: 'a' }], ['edit 📎']],
    ['filled in: they follow', [], ['edit 📎', 'followUp null']],
    ['not to be seen: they follow', undefined, ['edit 📎', 'defer', 'edit 📎', 'followUp null']],
  ])('whose first answer has files, which is %s', async (_, attachments, lines) => {
    const draft = { objectKey: 'k', fileName: 'a.txt', contentType: 'text/plain', size: 1 };
    const bot = await startQueuedBot({
      [READY]: {
        default: { description: 'Does x', run: () => ({ content: '', attachments: [draft] }) },
      },
    });
    if (attachments) bot.rest.always('interactions.editResponse', { ...message, attachments });
    bot.run('x', AGAIN);
    await bot.bot.idle();
    expect(bot.lines).toEqual(lines);
  });

  it('replaces a state by its first one, and an error after none', async () => {
    const bot = await startQueuedBot({
      [READY]: {
        default: {
          description: 'Does x',
          async *run() {
            yield 'state 1';
            return 'end';
          },
        },
      },
      'commands/fails.ts': {
        default: { description: 'Fails', run: () => Promise.reject(new Error('no')) },
      },
    });
    bot.rest.always('interactions.editResponse', message);
    bot.run('x', AGAIN);
    await bot.clock.advance(1_000);
    bot.run('fails', AGAIN);
    await bot.bot.idle();
    expect(bot.lines).toEqual(['edit state 1', 'edit end', 'edit Something went wrong.']);
  });

  it('notes follow-ups before the first one, and does not run again after that', async () => {
    const ran: string[] = [];
    const noted: string[] = [];
    const bot = await startQueuedBot({
      [READY]: {
        default: defineCommand({
          description: 'Does x',
          async run({ reply }) {
            ran.push('x');
            for (const part of ['one', 'two', 'three']) await reply(part);
          },
        }),
      },
    });
    // Killed between the note and the follow-up.
    const followingUp = (): Promise<void> => {
      noted.push(bot.lines.join());
      return new Promise(() => {});
    };
    bot.run('x', { followingUp }, 1);
    await settle();
    expect([noted, bot.lines]).toEqual([['respond one'], ['respond one']]);
    const again = await startQueuedBot({
      [READY]: { default: { description: 'Does x', run: () => void ran.push('x') } },
    });
    again.run('x', { ...AGAIN, isInterrupted: true }, 1);
    await again.bot.idle();
    expect(again.lines).toEqual(['followUp This command was interrupted before it ended.']);
    expect([ran, again.ended]).toEqual([['x'], ['/x']]);
  });

  it.each([
    ['replaces what it showed', false, ['edit Something went wrong.']],
    ['follows its messages', true, ['followUp Something went wrong.']],
  ])('that is set aside %s', async (_, isInterrupted, lines) => {
    const bot = await startQueuedBot(respond);
    bot.rest.always('interactions.editResponse', message);
    bot.run('x', { ...AGAIN, isSetAside: true, isInterrupted });
    await bot.bot.idle();
    expect(bot.lines).toEqual(lines);
  });
});

describe('a command from a queue that seems to be too old', () => {
  async function startCounted() {
    const ran: string[] = [];
    const records: unknown[] = [];
    const run = (): string => {
      ran.push('x');
      return 'done';
    };
    const bot = await startQueuedBot(
      {
        [READY]: { default: { description: 'Does x', run } },
        'commands/s.ts': { default: { description: 'Does s', silent: true, run } },
      },
      {
        observers: [{ ended: ({ name, result }) => void records.push(`${name} ${result}`) }],
      },
    );
    const runLate = async (name: string, ageMs = 3_001, isDeferred = false): Promise<void> => {
      bot.run(name, { isDeferred }, undefined, ageMs);
      await settle();
    };
    return { bot, ran, records, runLate };
  }

  it('runs when the platform still takes an answer', async () => {
    const { bot, ran, records, runLate } = await startCounted();
    await runLate('x');
    await runLate('s');
    expect(bot.lines).toEqual(['defer', 'respond done', 'ack', 'respond done']);
    expect([ran.length, records, bot.ended]).toEqual([2, ['x ok', 's ok'], ['/x', '/s']]);
  });

  it.each([
    ['was not deferred', 900_001, false, ['defer', 'respond done']],
    ['was deferred, within its second window', 899_999, true, ['respond done']],
    ['was deferred, after its second window', 900_001, true, ['defer', 'respond done']],
  ])('runs with all its time when the platform takes it, if it %s', async (...row) => {
    const [, ageMs, isDeferred, lines] = row;
    const { bot, ran, runLate } = await startCounted();
    if (isDeferred) bot.rest.once('interactions.defer', alreadyAnswered());
    await runLate('x', ageMs, isDeferred);
    expect([bot.lines, ran]).toEqual([lines, ['x']]);
    expect(bot.log.at('error')).toEqual([]);
  });

  it('is dropped after its second window when the platform does not say that it takes it', async () => {
    const { bot, ran, runLate } = await startCounted();
    for (const isDeferred of [false, true]) {
      bot.rest.once('interactions.defer', unreachable());
      await runLate('x', 900_001, isDeferred);
    }
    expect([ran, bot.lines]).toEqual([[], ['defer', 'defer']]);
    expect(bot.log.at('error')).toHaveLength(2);
  });

  it('is dropped with one line when it does not, and its handler does not run', async () => {
    const { bot, ran, records, runLate } = await startCounted();
    for (const call of ['defer', 'ack'] as const) bot.rest.once(`interactions.${call}`, gone());
    await runLate('x');
    await runLate('s');
    expect([ran, bot.lines]).toEqual([[], ['defer', 'ack']]);
    expect([records, bot.ended]).toEqual([
      ['x expired', 's expired'],
      ['/x', '/s'],
    ]);
    // The first one is that of the start.
    const lines = bot.log.lines.slice(1).map(({ level, message }) => `${level} ${message}`);
    expect(lines).toEqual([
      'error dropped /x: it is too old to be answered',
      'error dropped /s: it is too old to be answered',
    ]);
  });
});

describe('a bot with a queue', () => {
  it('reports the connection of another process to handlers, and not to observers of its own', async () => {
    const observed: string[] = [];
    const handled: string[] = [];
    const bot = await startTestBot(
      {
        'events/gap.ts': {
          default: defineEvent('gap', ({ data }) => void handled.push(data.reason)),
        },
      },
      { observers: [{ status: ({ state }) => void observed.push(state) }] },
    );
    const gap = { from: '', to: '', ms: 1, reason: 'test', unrecoverable: [] };
    bot.gateway.status({ state: 'gap', ...gap }, true);
    expect([observed, handled]).toEqual([['ready'], ['test']]);
    bot.gateway.status({ state: 'gap', ...gap });
    expect(observed).toEqual(['ready', 'gap']);
  });

  it('watches the channel of a wait from its beginning until its end', async () => {
    const watched: string[] = [];
    const gateway = {
      ...createFakeGateway(),
      watch(channelId: string, sinceMs: number) {
        watched.push(`${channelId === CHANNEL} since ${sinceMs}`);
        return () => void watched.push('end');
      },
      drain: () => void watched.push('drain'),
    };
    const clock = createFakeClock();
    const rest = createFakeRest();
    const definition = defineCommand({
      description: 'Does x',
      intents: ['SERVER_MESSAGES'],
      run: async ({ waitForMessage }) => {
        await waitForMessage({ within: '1s' });
        return 'nothing came';
      },
    });
    const bot = createBot({
      rest: rest.rest,
      gateway,
      log: createRecordedLog(),
      clock,
      random: () => 0.5,
      project: await projectOf({ [READY]: { default: definition } }),
    });
    await bot.connect();
    const startMs = clock.monotonic();
    const d = {
      interactionId: BOT_USER,
      serverId: SERVER,
      channelId: CHANNEL,
      name: 'x',
      rawInput: '/x',
    };
    gateway.emit('APPLICATION_COMMAND', d, startMs);
    await clock.advance(999);
    expect(watched).toEqual([`true since ${startMs}`]);
    await clock.advance(1);
    expect(watched.at(-1)).toBe('end');
    await bot.close();
    expect(watched.at(-1)).toBe('drain');
  });
});
