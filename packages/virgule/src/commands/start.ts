import { EXIT_UNUSABLE } from '@virgule/core/errors';
import { defineCliCommand } from '../terminal/command.js';
import { MODE_FLAG } from '../terminal/help.js';

export const start = defineCliCommand({
  name: 'start',
  words: '',
  about: 'Run the built bot: node dist/bot.mjs',
  flags: {
    ...MODE_FLAG,
    preview: { type: 'boolean', about: 'Run the bot on a local simulator with a chat page' },
    sync: { type: 'boolean', about: 'Register the commands first, without deleting any' },
    'allow-delete': {
      type: 'names',
      value: '[=NAMES]',
      about: 'Let --sync delete commands without a file, or only these',
    },
    role: {
      type: 'string',
      value: 'ROLE',
      about: 'With `scale` in the configuration: gateway, worker or all',
    },
    wait: { type: 'boolean', about: 'With `scale`: wait for Redis if it cannot be reached' },
    health: {
      type: 'string',
      value: '[HOST:]PORT',
      about: 'Serve /healthz, /readyz and /metrics there (HOST: 127.0.0.1)',
    },
    json: { type: 'boolean', about: 'Print the log as JSON even on a terminal' },
  },
  examples: [
    'virgule start',
    'virgule start --mode staging',
    'virgule start --sync',
    'virgule start --role worker',
    'virgule start --health 9090',
    'virgule build && virgule start --preview',
  ],
  exits: {
    0: 'stopped by SIGTERM or Ctrl+C',
    1: 'failed; a restart may help',
    [EXIT_UNUSABLE]:
      'a restart does not help: a setting or the build is missing or invalid, or the token was rejected',
    130: 'a second Ctrl+C',
  },
  failure: EXIT_UNUSABLE,
  async run({ flags }, io) {
    const { previewBuilt, startBuilt } = await import('../build/start-built.js');
    return flags.preview ? previewBuilt(flags, io) : startBuilt(flags, io);
  },
});
