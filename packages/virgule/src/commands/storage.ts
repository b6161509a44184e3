import { operations } from '@virgule/runtime/project';
import { defineCliCommand } from '../terminal/command.js';
import { DEV_FLAG, operationContext } from '../project/operation-context.js';

export const storage = defineCliCommand({
  name: 'storage',
  words: 'ACTION',
  about: 'Read and change what the bot has stored',
  flags: {
    ...DEV_FLAG,
    json: { type: 'boolean', about: 'Print JSON: one object per entry' },
    ttl: {
      type: 'string',
      value: 'TIME',
      about: 'How long an entry that is set is kept, such as 7d',
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
  run: ({ flags, words }, io) => operations.storage(words, flags, operationContext(io, flags)),
});
