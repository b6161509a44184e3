import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRest, type Rest } from '@virgule/client/rest';
import { systemClock, systemRandom } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import type { ProfileSettings } from '@virgule/core/protocol';
import { defineCommand, defineEvent, type BotObserver } from '@virgule/runtime';
import {
  startScaled,
  type BotProcess,
  createStoredCooldowns,
  StorageConnection,
} from '@virgule/runtime/process';
import type { Role, ScaleContext, ScaledProcess } from '@virgule/runtime/bot';
import { loadProject, scan } from '@virgule/runtime/project';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keysOf } from '../src/bus/keys.js';
import { connect } from '../src/connection/connection.js';
import { redis as scaleOver } from '../src/redis.js';
import { startRedis, type RedisServer } from './redis-server.js';
import { until } from './scaled-bot.js';

let redis: RedisServer;
let platform: Simulator;
let processes: BotProcess[] = [];
beforeAll(async () => {
  redis = await startRedis();
});
beforeEach(async () => {
  platform = await startSimulator({ pageDir: null });
});
afterEach(async () => {
  await Promise.all(processes.map((process) => process.close()));
  processes = [];
  await platform.close();
});
afterAll(() => redis.close());

const CONTEXT: ScaleContext = {
  env: {},
  applicationId: 'replaced by a name',
  maxAgeMs: 900_000,
  clock: systemClock,
  log: silentLog,
  wait: false,
  signal: new AbortController().signal,
  hide: () => {},
};

interface Seen {
  /** Messages that handlers got, with the worker. */
  readonly messages: string[];
  /** The workers on which commands ran. */
  readonly ran: string[];
  /** Messages of each run of the handler with `burst`. */
  readonly turns: string[];
}

/** Loads the same bot for each process. */
async function loadBot(worker: string, { messages, ran, turns }: Seen) {
  const modules = {
    'commands/hi.ts': {
      default: defineCommand({
        description: 'Says hi',
        messages: true,
        run: () => {
          ran.push(worker);
          return `hi from ${worker}`;
        },
      }),
    },
    'commands/quick.ts': {
      default: defineCommand({
        description: 'Is never deferred',
        defer: 'never',
        run: () => void ran.push(worker),
      }),
    },
    'commands/ask.ts': {
      default: defineCommand({
        description: 'Asks',
        intents: ['SERVER_MESSAGES', 'MESSAGE_REACTIONS'],
        run: async ({ reply, waitForMessage, confirm }) => {
          // Before the question is there: this user is faster than the reply to its request.
          const waiting = waitForMessage({ within: '1m' });
          await reply('What is your name?');
          const answer = await waiting;
          const isSure = await confirm(`${answer?.content}?`, { by: 'anyone' });
          return `${answer?.content} ${isSure ? 'is sure' : 'is not sure'}`;
        },
      }),
    },
    'commands/silent.ts': {
      default: defineCommand({ description: 'Says nothing', silent: true, run: () => null }),
    },
    'commands/once.ts': {
      default: defineCommand({
        description: 'Once a minute',
        cooldown: '1m',
        run: () => 'once',
      }),
    },
    'events/message-create/all.ts': {
      default: defineEvent('MESSAGE_CREATE', ({ data }) => void messages.push(data.content)),
    },
    'events/message-create/turns.ts': {
      default: defineEvent(
        'MESSAGE_CREATE',
        async ({ data, skipped, clock }) => {
          const contents = [...skipped, data].map(({ content }) => content);
          turns.push(contents.join('+'));
          if (turns.length === 1) await clock.sleep('1m');
        },
        { when: ({ content }) => content.startsWith('turn'), burst: '300ms', overlap: 'abort' },
      ),
    },
  };
  const { project, problems } = await loadProject(scan(Object.keys(modules)).manifest, {
    importModule: async (file) => Object(modules)[file],
  });
  expect(problems).toEqual([]);
  return project;
}

function createBot(observer: BotObserver = {}, profile: ProfileSettings = {}) {
  const seen: Seen = { messages: [], ran: [], turns: [] };
  const applicationId = randomUUID();
  return {
    ...seen,
    async start(name: string, role: Role): Promise<BotProcess> {
      const rest = createRest(platform);
      const scaled = await scaleOver({ url: redis.url }).open({
        ...CONTEXT,
        // Simulators have the same ids.
        applicationId,
      });
      const process = await startScaled({
        ...platform,
        cooldowns: createStoredCooldowns(
          new StorageConnection(scaled.stores.storage, { ...CONTEXT, root: '' }),
          systemClock,
          silentLog,
        ),
        concurrency: scaled.stores.concurrency,
        rest,
        scaled,
        role,
        observers: [observer],
        profile,
        clock: systemClock,
        random: systemRandom,
        project: await loadBot(name, seen),
        sync: 'apply-with-deletions',
      });
      processes.push(process);
      return process;
    },
  };
}

const answerOf = (id: string): string | undefined => {
  const answer = platform.interaction(id)?.responseMessageId;
  return platform.messages().find((message) => message.id === answer)?.content;
};

describe('a bot of several processes', () => {
  it('answers commands on its workers, with one cooldown, in the traces of the gateway', async () => {
    const traces: unknown[] = [];
    const bot = createBot({
      passing: ({ name, id }) => ({ traceparent: `${name} ${id}` }),
      async around({ kind, trace }, run) {
        if (kind === 'command') traces.push(trace?.['traceparent']);
        await run();
      },
    });
    await bot.start('gateway', 'gateway');
    await Promise.all([bot.start('one', 'worker'), bot.start('two', 'worker')]);
    const runs: string[] = [];
    // A worker reads a moment after it has started.
    await until(() => {
      runs.push(platform.run({ rawInput: '/hi' }).id);
      return bot.ran.includes('one') && bot.ran.includes('two');
    }, 'a run of each worker');
    await until(() => runs.every((id) => answerOf(id) !== undefined), 'every answer');
    expect(bot.ran).toHaveLength(runs.length);
    expect(new Set(traces)).toEqual(new Set(runs.map((id) => `hi ${id}`)));
    const cooled = Array.from({ length: 6 }, () => platform.run({ rawInput: '/once' }).id);
    await until(() => cooled.every((id) => answerOf(id) !== undefined), 'every answer');
    expect(cooled.filter((id) => answerOf(id) === 'once')).toHaveLength(1);
  });

  it('waits for messages and reactions on any worker, and handles each event and command in a message once', async () => {
    const bot = createBot();
    await Promise.all([
      bot.start('both', 'all'),
      bot.start('one', 'worker'),
      bot.start('two', 'worker'),
    ]);
    // The channel belongs to one worker: some of these run on another one.
    for (let n = 0; n < 6; n += 1) {
      const { id } = platform.run({ rawInput: '/ask' });
      await until(() => answerOf(id) === 'What is your name?', 'the question');
      // A command is no answer to the question.
      platform.sendMessage({ content: '!hi' });
      platform.sendMessage({ content: `Ada ${n}` });
      const question = () => platform.messages().find(({ content }) => content === `Ada ${n}?`);
      await until(() => question()?.reactions.length === 2, 'the second question');
      platform.react({ messageId: question()?.id ?? '', emoji: '✅' });
      await until(() => answerOf(id) === `Ada ${n} is sure`, 'the answer');
    }
    await until(() => bot.messages.length >= 6);
    expect(bot.messages).toEqual(Array.from({ length: 6 }, (_, n) => `Ada ${n}`));
    const answers = () =>
      platform.messages().filter(({ content }) => content.startsWith('hi from'));
    await until(() => answers().length >= 6, 'the answers to messages');
    expect([answers().length, bot.ran.length]).toEqual([6, 6]);
  });

  it('gathers the messages of a channel in a worker, in which a newer message aborts the run', async () => {
    const bot = createBot();
    // Of several workers, one may hand the channel over first, which waits for the end of the run.
    await Promise.all([bot.start('gateway', 'gateway'), bot.start('one', 'worker')]);
    for (const content of ['turn 1', 'turn 2', 'turn 3']) platform.sendMessage({ content });
    await until(() => bot.turns.length > 0, 'the first turn');
    platform.sendMessage({ content: 'turn 4' });
    await until(() => bot.turns.length > 1, 'the second turn');
    const first = 'turn 1+turn 2+turn 3';
    expect(bot.turns).toEqual([first, `${first}+turn 4`]);
  });

  it('does not run a command that has expired because it is never deferred', async () => {
    const profile = { answerWindowMs: 300 };
    await platform.close();
    platform = await startSimulator({ pageDir: null, profile });
    const results: string[] = [];
    const ended: BotObserver['ended'] = ({ kind, id, result }) =>
      void (kind === 'command' && results.push(`${id} ${result}`));
    const bot = createBot({ ended }, profile);
    await bot.start('gateway', 'gateway');
    const { id } = platform.run({ rawInput: '/quick' });
    await until(() => platform.interaction(id)?.state === 'expired', 'the expiry');
    await bot.start('one', 'worker');
    await until(() => results.length > 0, 'the record');
    expect([results, bot.ran]).toEqual([[`${id} expired`], []]);
  });

  it('shows one outcome for each command while no worker runs, and after they are replaced', async () => {
    const bot = createBot();
    await bot.start('gateway', 'gateway');
    const early = platform.run({ rawInput: '/hi' }).id;
    const silent = platform.run({ rawInput: '/silent' }).id;
    await until(() => platform.interaction(early)?.state === 'deferred', 'the defer');
    await until(
      () => platform.interaction(silent)?.state === 'acknowledged',
      'the acknowledgement',
    );
    const one = await bot.start('one', 'worker');
    await until(() => answerOf(early) === 'hi from one', 'the answer');
    const runs: string[] = [];
    const run = async (): Promise<void> => {
      for (let n = 0; n < 30; n += 1) {
        runs.push(platform.run({ rawInput: '/hi' }).id);
        await systemClock.sleep(20);
      }
    };
    const running = run();
    await bot.start('two', 'worker');
    await one.close();
    await running;
    await until(() => runs.every((id) => answerOf(id) !== undefined), 'every answer');
    expect(bot.ran).toHaveLength(31);
    expect(runs.filter((id) => !answerOf(id)?.startsWith('hi from'))).toEqual([]);
    expect(platform.interaction(silent)?.state).toBe('acknowledged');
  });
});

describe('rate limits', () => {
  it('that one worker meets hold the others back, and only there', async () => {
    const [busy, quiet] = [randomUUID(), randomUUID()];
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(String(request.url));
      const isLimited = request.url?.includes(busy) ?? false;
      response.writeHead(isLimited ? 429 : 200, isLimited ? { 'retry-after': '60' } : {});
      response.end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const bot = { name: randomUUID() };
    const scaled: ScaledProcess[] = [];
    const open = async (): Promise<Rest> => {
      const rest = createRest({ token: 't', baseUrl: `http://127.0.0.1:${port}` });
      const process = await scaleOver({ url: redis.url, ...bot }).open(CONTEXT);
      process.worker({ rest });
      scaled.push(process);
      return rest;
    };
    const [first, second] = [await open(), await open()];
    const main = connect({ url: redis.url, log: silentLog, purpose: 'test' });
    try {
      await main.ready();
      const { pauses } = keysOf(bot.name);
      let subscribers: unknown;
      while (subscribers !== 2)
        [, subscribers] = Object(await main.call('PUBSUB', 'NUMSUB', pauses));
      // Below the pause, and far above what a request takes on a busy machine.
      const options = { deadlineMs: 30_000 };
      const limited = expect.objectContaining({ code: 'E_RATE_LIMITED' });
      await expect(first.channels.typing(busy, options)).rejects.toEqual(limited);
      await until(() => second.limits().buckets.length > 0, 'the pause');
      await expect(second.channels.typing(busy, options)).rejects.toEqual(limited);
      await second.channels.typing(quiet, options);
      expect(requests).toHaveLength(2);
      expect(requests[0]).toContain(busy);
      expect(requests[1]).toContain(quiet);
      // A text that is not a pause changes nothing.
      for (const text of ['{', '1', '{"pause":1}', '{"pause":{"route":"","pausedForMs":9e9}}'])
        await main.call('PUBLISH', pauses, text);
      await second.channels.typing(quiet, options);
    } finally {
      main.close();
      await Promise.all([first, second].map((rest) => rest.close()));
      await Promise.all(scaled.map((process) => process.close()));
      server.close();
    }
  });
});
