import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { startSimulator } from '@virgule/simulator';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { startBot } from '../src/bot/start-bot.js';
import type { Bot } from '../src/bot/running-bot.js';
import { defineCommand } from '../src/command/define/define-command.js';
import { defineEvent } from '../src/events/define-event.js';
import { traceWork } from '../src/observe/trace-work.js';
import { memory } from '../src/storage/memory-storage.js';
import { StorageConnection } from '../src/storage/storage-connection.js';
import { defineTask } from '../src/tasks/define-task.js';
import { projectOf } from './project-of.js';

const weather = defineCommand({
  description: 'The weather',
  messages: true,
  run: () => 'sunny',
});

const modules = {
  'commands/weather.ts': { default: weather },
  'commands/slow.ts': {
    default: defineCommand({
      description: 'Is slow',
      defer: '20ms',
      run: async ({ clock }) => {
        await clock.sleep('100ms');
        return 'done';
      },
    }),
  },
  'commands/trip.ts': {
    default: defineCommand({
      description: 'Plans a trip',
      run: async ({ call }) => (await call(weather, {})).content ?? '',
    }),
  },
  'commands/remind.ts': {
    default: defineCommand({
      description: 'Reminds',
      run: async ({ tasks, channelId }) => {
        await tasks['ping']?.in('1s', { channelId });
        return 'later';
      },
    }),
  },
  'tasks/ping.ts': {
    default: defineTask({
      payload: z.object({ channelId: z.string() }),
      run: async ({ channel, payload }) => void (await channel(payload.channelId).send('ping')),
    }),
  },
  'events/message-create/echo.ts': {
    default: defineEvent('MESSAGE_CREATE', async ({ data, reply }) => {
      if (data.content === 'hello') await reply('hi');
    }),
  },
};

const exporter = new InMemorySpanExporter();
let platform: Awaited<ReturnType<typeof startSimulator>>;
let bot: Bot;

beforeAll(async () => {
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  api.trace.setGlobalTracerProvider(provider);
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracing = await traceWork(systemClock, String);
  platform = await startSimulator({ pageDir: null });
  bot = await startBot({
    ...platform,
    project: await projectOf(modules),
    storage: new StorageConnection(memory(), { clock: systemClock, log: silentLog, root: '' }),
    observers: tracing ? [tracing] : [],
    sync: 'apply-with-deletions',
  });
});

afterEach(() => exporter.reset());

afterAll(async () => {
  await bot.close();
  await platform.close();
  api.trace.disable();
  api.context.disable();
});

/** Returns the spans of a moment as trees, such as `/x(messages.send)`, without calls after it. */
async function treesOf(act: () => unknown, roots: number): Promise<readonly string[]> {
  await bot.idle();
  exporter.reset();
  act();
  const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
  const under = (id?: string): readonly string[] =>
    spans()
      .filter((span) => span.parentSpanContext?.spanId === id)
      .map((span) => {
        const inner = under(span.spanContext().spanId);
        return inner.length > 0 ? `${span.name}(${inner.join(', ')})` : span.name;
      });
  await expect.poll(() => under().length).toBe(roots);
  return under().toSorted();
}

it.each([
  ['of a command', '/weather', ['/weather(interactions.respond)']],
  ['of a command that calls another one', '/trip', ['/trip(/weather, interactions.respond)']],
  [
    'of a task, which belongs to no command',
    '/remind',
    ['/remind(interactions.respond)', 'ping(messages.list, messages.send)'],
  ],
])('has the tree %s', async (_, rawInput, trees) => {
  expect(await treesOf(() => platform.run({ rawInput }), trees.length)).toEqual(trees);
});

it('has the trees of commands that are deferred by one timer', async () => {
  const run = (): unknown => platform.run({ rawInput: '/slow' });
  const tree = '/slow(interactions.defer, interactions.respond)';
  expect(await treesOf(() => [run(), run()], 2)).toEqual([tree, tree]);
});

it('has the tree of a command that a message runs', async () => {
  const trees = await treesOf(() => platform.sendMessage({ content: '!weather' }), 1);
  expect(trees).toEqual(['/weather(messages.send)']);
});

it('has the tree of an event handler', async () => {
  const trees = await treesOf(() => platform.sendMessage({ content: 'hello' }), 1);
  expect(trees).toEqual(['events/message-create/echo.ts(messages.send)']);
});
