import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock, systemClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { alreadyAnswered, gone, rateLimited, unreachable } from '../../../test/client-failures.js';
import { createFakeRest } from '../../../test/fake-rest.js';
import { CHANNEL, interactionId, OTHER_USER, SERVER } from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import { createRecordedLog } from '../../../test/recorded-log.js';
import type { Modules } from '../../../test/project-of.js';
import { settle, startTestBot } from '../../../test/test-bot.js';
import { createTestEnvironment } from '../../../test/test-environment.js';
import type { CommandContext } from '../context/command-context.js';
import type { CommandDefinition } from '../define/define-command.js';
import type { EventContext } from '../../events/event-context.js';
import { endLeft } from './open-interactions.js';
import { memory } from '../../storage/memory-storage.js';
import { StorageConnection } from '../../storage/storage-connection.js';
import { createInteractionJournal, type OpenInteraction } from '../interaction-journal.js';

const RESTARTING = 'The bot is restarting. Please try again in a moment.';
const BASE_URL = 'https://chat.example';
const ID = interactionId(1);
const ANSWER = interactionId(2);
const TYPED = { ...messageWith({ content: '!x', authorId: OTHER_USER }), serverId: SERVER };

type Definition = Pick<CommandDefinition, 'run'> & Partial<CommandDefinition>;

/** Returns the lines of a journal with one file: of its process, then of each open interaction. */
function linesIn(folder: string): Record<string, unknown>[] {
  const [name = ''] = readdirSync(folder);
  const [text = ''] = readFileSync(join(folder, name), 'utf8').split('\n\n');
  return text.split('\n').map((line) => JSON.parse(line));
}

/** A bot with the one command /x in a folder that outlives it. */
async function startIn(
  folder: string,
  definition: Definition,
  overwrite?: (fd: number, text: string) => Promise<void>,
  modules: Modules = {},
) {
  const log = createRecordedLog();
  const interactionJournal = createInteractionJournal({
    folder,
    baseUrl: BASE_URL,
    log,
    overwrite,
  });
  const x = { description: 'Does x', ...definition };
  const bot = await startTestBot(
    { 'commands/x.ts': { default: x }, ...modules },
    {
      interactionJournal,
      storage: new StorageConnection(memory(), { clock: systemClock, log, root: '' }),
    },
  );
  return {
    bot,
    /** State in the journal that the user sees; `undefined` if the journal has no entry. */
    async shows(): Promise<unknown> {
      await interactionJournal.written();
      return linesIn(folder)[1]?.['shows'];
    },
    /** Makes the entries those of a process that is gone, as after a kill. */
    async kill(difference: object = {}): Promise<void> {
      await interactionJournal.written();
      const [name = ''] = readdirSync(folder);
      const [owner, entry] = linesIn(folder);
      const lines = [
        { ...owner, pid: 2 ** 30 },
        { ...entry, ...difference },
      ].map((line) => JSON.stringify(line));
      writeFileSync(join(folder, name), `${lines.join('\n')}\n\n`);
    },
  };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-interactions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const FACTS: OpenInteraction = {
  interactionId: ID,
  serverId: CHANNEL,
  channelId: CHANNEL,
  name: 'x',
  shows: 'thinking',
  atMs: 0,
};

const never = (): Promise<never> => new Promise(() => {});
const SLOW: Definition = { defer: 'now', run: never };

describe('the journal of open interactions', () => {
  it('is not written for an answer that is quick', async () => {
    const { bot, shows } = await startIn(newFolder(), { run: () => 'quick' });
    const held = bot.rest.hold('interactions.respond');
    bot.type('/x');
    await settle();
    expect([held.made, await shows()]).toEqual([true, undefined]);
    held.settle();
  });

  it('has a deferred command from before its defer until its answer, without any text of users', async () => {
    const folder = newFolder();
    const run: Definition['run'] = ({ clock }) => clock.sleep('5s').then(() => 'done');
    const { bot, shows } = await startIn(folder, { run });
    const held = bot.rest.hold('interactions.defer');
    bot.type('/x');
    await bot.clock.advance(1_500);
    expect([held.made, await shows()]).toEqual([true, 'thinking']);
    expect(linesIn(folder).map((line) => Object.keys(line))).toEqual([
      ['pid', 'started', 'host', 'baseUrl'],
      ['key', 'interactionId', 'serverId', 'channelId', 'name', 'shows', 'atMs'],
    ]);
    held.settle();
    await bot.clock.advance(3_500);
    expect([bot.lines.at(-1), await shows()]).toEqual(['respond done', undefined]);
  });

  it('has the question of a task until the question is stored', async () => {
    const again = { waits: 'confirm', run: () => {} };
    const run: Definition['run'] = async ({ reply, tasks }) => {
      await tasks['again']?.ask(await reply('Sure?'), undefined, { within: '1d' });
    };
    const overwrite = async (fd: number, text: string): Promise<void> => {
      await systemClock.sleep(30);
      writeSync(fd, text, 0);
    };
    const folder = newFolder();
    const { bot, shows } = await startIn(folder, { run }, overwrite, {
      'tasks/again.ts': { default: again },
    });
    const held = bot.rest.hold('messages.list');
    const buttons = bot.rest.hold('reactions.add');
    bot.type('/x');
    await settle();
    expect([held.made, await shows()]).toEqual([true, 'answer']);
    held.settle({ messages: [messageWith({ content: 'Sure?' })] });
    await expect.poll(() => buttons.made, { interval: 1 }).toBe(true);
    expect(linesIn(folder)).toHaveLength(1);
    buttons.settle();
  });

  it.each(['here', 'channel', 'reply', 'tools'] as const)(
    'has an event whose handler sends by %s until its question is stored or the handler ends, if tasks ask questions',
    async (by) => {
      let ask = (): void => {};
      const asking = new Promise<void>((resolve) => (ask = resolve));
      const handler = async (event: EventContext<{ content: string; channelId: string }>) => {
        const { here, reply, channel, tools, tasks, clock, data } = event;
        if (by === 'tools' && data.content === 'ask') await tools('x')['x']?.execute({});
        else {
          const { send } = by === 'channel' ? channel(data.channelId) : here;
          const question = await (by === 'reply' ? reply : send)('Sure?');
          if (data.content === 'talk') return clock.sleep('1s');
          await asking;
          await tasks['again']?.ask(question, undefined, { within: '1d' });
        }
        return clock.sleep('1s');
      };
      const modules = { 'events/message-create.ts': { default: handler } };
      const again = { 'tasks/again.ts': { default: { waits: 'confirm', run: () => {} } } };
      const folder = newFolder();
      const x: Definition = { tool: { asks: 'anyone' }, run: () => 'x' };
      const { bot, shows } = await startIn(folder, x, undefined, { ...modules, ...again });
      const held = bot.rest.hold('messages.send');
      const typed = { ...TYPED, content: 'ask' };
      bot.gateway.emit('MESSAGE_CREATE', typed, 0);
      await settle();
      expect([held.made, await shows()]).toEqual([true, 'thinking']);
      expect(linesIn(folder)[1]).toMatchObject({ interactionId: typed.id, channelId: CHANNEL });
      held.settle(messageWith({ content: 'Sure?' }));
      await settle();
      expect(await shows()).toBe(by === 'tools' ? undefined : 'thinking');
      ask();
      await settle();
      await expect.poll(shows).toBeUndefined();
      await bot.clock.advance(1_000);
      bot.gateway.emit('MESSAGE_CREATE', { ...typed, content: 'talk' }, 0);
      await settle();
      expect(await shows()).toBe('thinking');
      await bot.clock.advance(1_000);
      expect(await shows()).toBeUndefined();
      // Without tasks that ask, nothing is noted.
      const plain = await startIn(newFolder(), { run: () => 'x' }, undefined, modules);
      plain.bot.gateway.emit('MESSAGE_CREATE', { ...typed, content: 'talk' }, 0);
      await settle();
      expect(await plain.shows()).toBeUndefined();
    },
  );

  it('has an answer until its command ends, if tasks ask questions', async () => {
    const run: Definition['run'] = async ({ reply, clock }) => {
      await reply('Sure?');
      await clock.sleep('1s');
    };
    const { bot, shows } = await startIn(newFolder(), { run }, undefined, {
      'tasks/again.ts': { default: { waits: 'confirm', run: () => {} } },
    });
    const held = bot.rest.hold('interactions.respond');
    bot.type('/x');
    await settle();
    expect([held.made, await shows()]).toEqual([true, 'answer']);
    held.settle();
    await settle();
    expect(await shows()).toBe('answer');
    await bot.clock.advance(1_000);
    expect(await shows()).toBeUndefined();
  });

  it('starts to write before the defer of a command, and keeps no call waiting for the disk', async () => {
    const steps: string[] = [];
    const { bot } = await startIn(newFolder(), { defer: 'now', run: () => 'done' }, (_, text) => {
      steps.push(`write ${text.split('thinking').length - 1}, lines ${bot.lines.length}`);
      return never();
    });
    for (let count = 0; count < 60; count += 1) bot.type('/x');
    await settle();
    expect(steps).toEqual(['write 1, lines 0']);
    expect(bot.lines.filter((line) => line === 'respond done')).toHaveLength(60);
  });

  it.each<[string, Definition['run'], unknown[]]>([
    [
      'a stream',
      async function* ({ clock }: CommandContext) {
        yield 'state 1';
        await clock.sleep('1s');
        return 'end';
      },
      ['state', undefined],
    ],
    [
      'a stream whose last state stays',
      async function* ({ clock }: CommandContext) {
        yield 'state 1';
        await clock.sleep('1s');
      },
      ['state', undefined],
    ],
    [
      'a text that grows',
      async ({ append, clock }) => {
        await append(
          (async function* () {
            yield 'half';
            await clock.sleep('1s');
            yield ' whole';
          })(),
        );
      },
      ['answer', undefined],
    ],
    [
      'a question',
      async ({ confirm }) => ((await confirm('Sure?', { within: '1s' })) ? 'yes' : 'no'),
      ['answer', undefined],
    ],
  ])('has %s until its end', async (_, run, expected) => {
    const { bot, shows } = await startIn(newFolder(), { run, intents: ['MESSAGE_REACTIONS'] });
    bot.rest.always('interactions.respond', { id: ID, channelId: CHANNEL, content: 'x' });
    bot.type('/x');
    await bot.clock.advance(500);
    const during = await shows();
    await bot.clock.advance(3_000);
    expect([during, await shows()]).toEqual(expected);
  });

  it('has a command from its start whose thinking state the process with the socket showed', async () => {
    const run: Definition['run'] = ({ clock }) => clock.sleep('1s').then(() => null);
    const { bot, shows } = await startIn(newFolder(), { run, silent: true });
    const d = { serverId: SERVER, channelId: CHANNEL, name: 'x', rawInput: '/x' };
    bot.gateway.deliver({
      t: 'APPLICATION_COMMAND',
      d: { ...d, interactionId: ID },
      receivedAtMs: bot.clock.monotonic(),
      isDeferred: true,
    });
    await settle();
    expect(await shows()).toBe('thinking');
    await bot.clock.advance(1_000);
    // Nothing but a text removes that state, also for a silent command.
    expect([bot.lines, await shows()]).toEqual([['respond Done.'], undefined]);
  });

  it('keeps what could not be answered before the bot had drained', async () => {
    const { bot, shows } = await startIn(newFolder(), SLOW);
    bot.type('/x');
    await settle();
    bot.rest.always('interactions.respond', unreachable());
    const closed = bot.bot.close();
    await bot.clock.advance(20_000);
    await closed;
    expect(await shows()).toBe('thinking');
  });
});

describe('a start after a kill', () => {
  const STREAM: Definition = {
    async *run() {
      yield 'state 1';
      await never();
    },
  };
  const GROWS: Definition = {
    run: ({ append }) =>
      append(
        (async function* () {
          yield 'half';
          await never();
        })(),
      ).then(() => null),
  };

  it('names an event handler by its file', async () => {
    const folder = newFolder();
    const first = await startIn(folder, SLOW);
    first.bot.type('/x');
    await first.bot.clock.advance(500);
    await first.kill({ name: 'events/hi.ts', message: { createdAt: '' } });
    const { bot } = await startIn(folder, SLOW);
    await bot.bot.idle();
    expect(bot.log.at('warn')).toEqual(['events/hi.ts was interrupted by the end of its process']);
  });

  // The responses of this platform contain no message: whether there was something to edit is unknown.
  it.each<[string, Definition, readonly string[]]>([
    ['fills in a thinking state', SLOW, [`respond ${RESTARTING}`]],
    ['replaces a state', STREAM, [`edit ${RESTARTING}`, 'defer', `edit ${RESTARTING}`]],
    ['follows a text that grew', GROWS, [`followUp ${RESTARTING}`]],
  ])('%s, once', async (_, definition, lines) => {
    const folder = newFolder();
    const first = await startIn(folder, definition);
    first.bot.type('/x');
    await first.bot.clock.advance(500);
    await first.kill();
    const { bot, shows } = await startIn(folder, definition);
    await bot.bot.idle();
    expect(bot.lines).toEqual(lines);
    expect(bot.log.at('warn')).toEqual(['/x was interrupted by the end of its process']);
    expect(await shows()).toBe(undefined);
  });

  it.each<[string, Definition, readonly string[]]>([
    ['answers a message', SLOW, [`messages.send ${RESTARTING}`]],
    ['replaces a state after a message', STREAM, [`messages.edit ${RESTARTING}`]],
    ['follows a text that grew after a message', GROWS, [`messages.send ${RESTARTING}`]],
  ])('%s, once', async (_, definition, lines) => {
    const folder = newFolder();
    const first = await startIn(folder, { ...definition, messages: true });
    first.bot.rest.always('messages.send', messageWith({ id: ANSWER }));
    const { createdAt } = TYPED;
    await first.bot.clock.advance(Date.parse(createdAt) - first.bot.clock.now());
    first.bot.emit('MESSAGE_CREATE', TYPED);
    await first.bot.clock.advance(500);
    await first.kill();
    const { bot, shows } = await startIn(folder, definition);
    await bot.clock.advance(Date.parse(createdAt) - bot.clock.now());
    await bot.bot.idle();
    expect(bot.lines).toEqual(lines);
    const edits = bot.rest.calls.filter(({ endpoint }) => endpoint === 'messages.edit');
    expect(edits.every(({ args }) => args[1] === ANSWER)).toBe(true);
    expect(bot.log.at('warn')).toEqual(['/x was interrupted by the end of its process']);
    expect(await shows()).toBe(undefined);
  });

  it('never follows a text twice: the entry is gone before the message is sent', async () => {
    const folder = newFolder();
    const first = await startIn(folder, GROWS);
    first.bot.type('/x');
    await first.bot.clock.advance(500);
    await first.kill();
    let written = (): void => {};
    const journal = createInteractionJournal({
      folder,
      baseUrl: BASE_URL,
      log: first.bot.log,
      overwrite: () => new Promise((resolve) => (written = resolve)),
    });
    const { rest, hold } = createFakeRest();
    const held = hold('interactions.followUp');
    const { clock } = first.bot;
    void endLeft(journal.left(), createTestEnvironment({ rest, clock, journal }));
    await settle();
    expect(held.made).toBe(false);
    written();
    await settle();
    expect(held.made).toBe(true);
    held.settle();
  });

  /** Starts again after a kill of a deferred command, with these failures of the platform. */
  async function startAgain(
    definition: Definition,
    failures: Readonly<Record<string, Error>>,
    difference: object = {},
  ) {
    const folder = newFolder();
    const first = await startIn(folder, definition);
    first.bot.type('/x');
    await first.bot.clock.advance(500);
    await first.kill(difference);
    const log = createRecordedLog();
    const fake = createFakeRest();
    const { rest, always } = fake;
    for (const [endpoint, error] of Object.entries(failures))
      always(`interactions.${endpoint}`, error);
    const journal = createInteractionJournal({ folder, baseUrl: BASE_URL, log });
    const { clock } = first.bot;
    await endLeft(journal.left(), createTestEnvironment({ rest, log, clock, journal }));
    await journal.written();
    return { log, open: linesIn(folder).slice(1), lines: fake.lines };
  }

  it.each([
    ['was answered meanwhile', SLOW, { respond: alreadyAnswered() }],
    ['has expired', SLOW, { respond: gone() }],
    ['has expired while it showed a state', STREAM, { editResponse: gone(), defer: gone() }],
  ])('leaves a command that %s', async (_, definition, failures) => {
    const { log, open } = await startAgain(definition, failures);
    expect([log.lines, open]).toEqual([[], []]);
  });

  it('tries once to answer a command whose window seems to be over: the clock may have been set', async () => {
    const { log, open, lines } = await startAgain(SLOW, { respond: unreachable() }, { atMs: -1e9 });
    expect([lines, open, log.lines]).toEqual([[`respond ${RESTARTING}`], [], []]);
  });

  it('answers two commands at a time, the newest first, behind those of now', async () => {
    const endings = Array.from({ length: 5 }, (_, index) => ({
      facts: { ...FACTS, interactionId: interactionId(index), atMs: index },
      forget: () => {},
    }));
    const { rest, calls, hold } = createFakeRest();
    const priorities: unknown[] = [];
    const { respond } = rest.interactions;
    const watched: typeof respond = (id, body, options) => {
      priorities.push(options?.priority);
      return respond(id, body, options);
    };
    const clock = createFakeClock();
    const held = [hold('interactions.respond'), hold('interactions.respond')];
    const interactions = { ...rest.interactions, respond: watched };
    const env = createTestEnvironment({ rest: { ...rest, interactions }, clock });
    const ended = endLeft(endings, env);
    const answered = () => calls.map(({ args }) => args[0]);
    await clock.advance(0);
    expect(answered()).toEqual([interactionId(4), interactionId(3)]);
    held[0]?.settle();
    await clock.advance(0);
    // An interaction that waits for the platform delays no other.
    await clock.advance(10_000);
    held[1]?.settle();
    await ended;
    expect(answered()).toHaveLength(5);
    expect(new Set(priorities)).toEqual(new Set(['background']));
  });
});

describe('an uncaught exception', () => {
  it('answers every open command within a second, and names them in one line', async () => {
    const { bot, shows } = await startIn(newFolder(), SLOW);
    bot.type('/x');
    bot.type('/x');
    await settle();
    expect(await shows()).toBe('thinking');
    let hasEnded = false;
    void bot.bot.uncaughtException(new Error('boom')).then(() => (hasEnded = true));
    await bot.clock.advance(1_000);
    expect(hasEnded).toBe(true);
    const last = `respond ${RESTARTING}`;
    expect(bot.lines).toEqual(['defer', 'defer', last, last, 'close']);
    expect(bot.log.at('error').filter((line) => line.includes('boom'))).toEqual([
      'uncaught exception while /x ran: boom; the process ends and interrupts /x',
    ]);
  });

  it('does not wait for a platform that does not answer', async () => {
    const { bot, shows } = await startIn(newFolder(), SLOW);
    bot.type('/x');
    await settle();
    bot.rest.always('interactions.respond', rateLimited());
    let hasEnded = false;
    void bot.bot.uncaughtException(new Error('boom')).then(() => (hasEnded = true));
    await bot.clock.advance(1_000);
    // The next start answers it.
    expect([hasEnded, await shows()]).toEqual([true, 'thinking']);
  });

  it('during a shutdown ends the time of the handlers', async () => {
    const { bot } = await startIn(newFolder(), SLOW);
    bot.type('/x');
    await settle();
    void bot.bot.close();
    await settle();
    void bot.bot.uncaughtException(new Error('boom'));
    await bot.clock.advance(1_000);
    expect(bot.lines).toEqual(['defer', `respond ${RESTARTING}`, 'close']);
  });

  it('leaves the commands of a queue to another process', async () => {
    const { bot } = await startIn(newFolder(), SLOW);
    Object.assign(bot.gateway, { drain: () => {} });
    bot.type('/x');
    await settle();
    await bot.bot.uncaughtException(new Error('boom'));
    expect(bot.lines).toEqual(['defer']);
  });
});

describe('the end of the process by something else', () => {
  it('names the commands that it interrupts, if any', async () => {
    const { bot } = await startIn(newFolder(), SLOW);
    bot.bot.exiting();
    expect(bot.log.at('error')).toEqual([]);
    bot.type('/x');
    await settle();
    bot.bot.exiting();
    expect(bot.log.at('error')).toEqual(['the process was ended and interrupts /x']);
  });
});
