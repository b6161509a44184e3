import { operations } from '@virgule/runtime/project';
import { defineCliCommand } from '../terminal/command.js';
import { DEV_FLAG, operationContext } from '../project/operation-context.js';

export const task = defineCliCommand({
  name: 'task',
  words: 'ACTION',
  about: 'List the runs of tasks, and run, cancel or retry one',
  flags: {
    ...DEV_FLAG,
    json: { type: 'boolean', about: 'Print JSON: one object per run' },
  },
  examples: [
    'virgule task list',
    'virgule task run digest',
    'virgule task run digest --dev',
    `virgule task run remind '{"text": "tea"}'`,
    'virgule task cancel remind:0001795441478059:8a1c9b1e-52c4',
  ],
  exits: { 0: 'done', 1: 'an error, or there is no such run' },
  run: ({ flags, words }, io) => operations.task(words, flags, operationContext(io, flags)),
});
