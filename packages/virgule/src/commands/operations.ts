import type { runOperation } from '../operate/run-operation.js';
import { defineCliCommand } from '../terminal/command.js';
import { MODE_FLAG } from '../terminal/help.js';

/** Flags of commands that read or change stored data of the bot. */
const DATA_FLAGS = {
  ...MODE_FLAG,
  dev: { type: 'boolean', about: 'Use the data of `virgule dev` instead of production' },
  json: { type: 'boolean', about: 'Print JSON: one object per line' },
} as const;

/** Runs a command with the stored data of the bot. */
const operate = async (...given: Parameters<typeof runOperation>): Promise<number> =>
  (await import('../operate/run-operation.js')).runOperation(...given);

export const storage = defineCliCommand({
  name: 'storage',
  words: 'ACTION',
  about: 'Read and change what the bot has stored',
  flags: {
    ...DATA_FLAGS,
    ttl: {
      type: 'string',
      value: 'TIME',
      about: 'Keep the entry to set for this time, such as 7d',
    },
  },
  examples: [
    'virgule storage list poll:',
    'virgule storage list --dev',
    'virgule storage get points',
    `virgule storage set points '{"ada": 3}'`,
    'virgule storage delete points',
    'virgule storage export > storage.jsonl',
    'virgule storage import storage.jsonl',
  ],
  exits: { 0: 'done', 1: 'an error, or there is no such entry' },
  run: ({ flags, words }, io) => operate('storage', words, flags, io),
});

export const task = defineCliCommand({
  name: 'task',
  words: 'ACTION',
  about: 'List the runs of tasks, and run or cancel one',
  flags: DATA_FLAGS,
  examples: [
    'virgule task list',
    'virgule task run digest',
    'virgule task run digest --dev',
    `virgule task run remind '{"text": "tea"}'`,
    'virgule task cancel remind:0001795441478059:8a1c9b1e-52c4',
  ],
  exits: { 0: 'done', 1: 'an error, or there is no such run' },
  run: ({ flags, words }, io) => operate('task', words, flags, io),
});

export const failed = defineCliCommand({
  name: 'failed',
  words: 'ACTION ID',
  about: 'List failures, and retry, drop or test one',
  flags: DATA_FLAGS,
  examples: [
    'virgule failed list',
    'virgule failed show remind:0001795441478059:8a1c9b1e-52c4',
    'virgule failed retry remind:0001795441478059:8a1c9b1e-52c4',
    'virgule failed test 12',
    'virgule failed test 12.json',
    'virgule failed drop 1700000000000-0',
  ],
  exits: { 0: 'done', 1: 'an error, or no failure has this id' },
  run: ({ flags, words }, io) => operate('failed', words, flags, io),
});
