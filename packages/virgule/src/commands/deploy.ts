import { DEPLOY_FLAGS } from '../deploy/deploy-flags.js';
import { defineCliCommand } from '../terminal/command.js';

export const deploy = defineCliCommand({
  name: 'deploy',
  words: '',
  about: 'Register the commands after showing a plan',
  flags: DEPLOY_FLAGS,
  examples: [
    'virgule deploy',
    'virgule deploy --mode staging',
    'virgule deploy --check --json',
    'virgule deploy --yes --allow-delete=old',
    'virgule deploy --from 2026-11-20T10-22-07-512Z',
  ],
  exits: {
    0: 'applied, planned, or nothing to do',
    1: 'refused, not confirmed, or an error',
    2: 'with --check: the registered commands differ',
  },
  run: async ({ flags }, io) =>
    (await import('../deploy/deploy-commands.js')).deployCommands(flags, io),
});
