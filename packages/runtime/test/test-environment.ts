import { memory } from '../src/storage/memory-storage.js';
import { StorageConnection } from '../src/storage/storage-connection.js';
import { TaskAsks } from '../src/tasks/task-asks.js';
import { createFakeClock, createDeadlines } from '@virgule/core/clock';
import { DEFAULT_PROFILE } from '@virgule/core/protocol';
import { Activity } from '../src/command/activity.js';
import type { BotEnvironment } from '../src/command/environment.js';
import { createCalls } from '../src/command/run/command-calls.js';
import { OwnTexts } from '../src/command/own-texts.js';
import { resolveMessageCommands } from '../src/command/message-commands.js';
import { createMemoryConcurrency } from '../src/command/throttle/concurrency-store.js';
import { createMemoryCooldowns } from '../src/command/throttle/cooldown-store.js';
import { resolveTexts } from '../src/command/texts.js';
import { MISSING_VOICE } from '../src/voice/voice-setting.js';
import { Waits } from '../src/command/waits/waits.js';
import { createFakeRest } from './fake-rest.js';
import { createMemoryStorage } from './memory-storage.js';
import { createRecordedLog } from './recorded-log.js';

/** The environment of a bot that has no commands, on a platform that the test plays. */
export function createTestEnvironment(parts: Partial<BotEnvironment> = {}): BotEnvironment {
  const { clock = createFakeClock(), log = createRecordedLog() } = parts;
  const deadlines = createDeadlines(clock);
  const asks = new TaskAsks(new StorageConnection(memory(), { clock, log, root: '/' }), () => {});
  const env: BotEnvironment = {
    recorder: undefined,
    rest: createFakeRest().rest,
    clock,
    random: () => 0.5,
    log,
    me: { id: '' },
    mentions: [],
    services: {},
    envValues: {},
    storage: createMemoryStorage(clock),
    tasks: {},
    voice: MISSING_VOICE,
    profile: DEFAULT_PROFILE,
    messages: resolveMessageCommands(),
    attachmentHosts: [],
    isAttachment: () => true,
    deadlines,
    serverOf: async () => '',
    waits: new Waits({ clock, deadlines, log }),
    commands: () => [],
    calls: createCalls(() => ({ env, asks, commands: new Map() })),
    throttle: {
      cooldowns: createMemoryCooldowns(clock),
      concurrency: createMemoryConcurrency(),
    },
    texts: resolveTexts(undefined, log, () => ({ services: env.services, env: env.envValues })),
    development: false,
    redact: (text) => text,
    activity: new Activity(),
    runs: new Set(),
    handlerRuns: new Set(),
    ownTexts: new OwnTexts(),
    loops: undefined,
    stopping: new AbortController().signal,
    ending: new AbortController().signal,
    observed: undefined,
    journal: undefined,
    asksQuestions: false,
    onError: () => {},
    ...parts,
  };
  return env;
}
