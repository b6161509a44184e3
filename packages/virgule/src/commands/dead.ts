import { operations } from '@virgule/runtime/project';
import { defineCliCommand } from '../terminal/command.js';
import { MODE_FLAG } from '../terminal/help.js';
import { operationContext } from '../project/operation-context.js';

export const dead = defineCliCommand({
  name: 'dead',
  words: 'ACTION ID',
  about: 'Read, replay and drop the events that ended every worker',
  flags: {
    ...MODE_FLAG,
    json: { type: 'boolean', about: 'Print JSON: one object per event' },
  },
  examples: [
    'virgule dead list',
    'virgule dead show 1700000000000-0',
    'virgule dead replay 1700000000000-0',
    'virgule dead drop 1700000000000-0',
  ],
  exits: { 0: 'done', 1: 'an error, or there is no such event' },
  run: ({ flags, words }, io) => operations.dead(words, flags, operationContext(io, flags)),
});
