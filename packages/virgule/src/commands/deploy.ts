import { deployCommands } from '../deploy/deploy-commands.js';
import { defineCliCommand } from '../terminal/command.js';
import { MODE_FLAG } from '../terminal/help.js';

export const deploy = defineCliCommand({
  name: 'deploy',
  words: '',
  about: 'Register the commands after showing a plan',
  flags: {
    ...MODE_FLAG,
    'dry-run': { type: 'boolean', about: 'Print the plan and change nothing' },
    check: {
      type: 'boolean',
      about: 'Print the plan; exit code 0 without a difference, 2 with one',
    },
    yes: { type: 'boolean', about: 'Confirm the plan, except deletions' },
    'allow-delete': {
      type: 'names',
      value: '[=NAMES]',
      about: 'Confirm the deletions in the plan, or only these',
    },
    'keep-foreign': {
      type: 'boolean',
      about: 'Keep registered commands that were not deployed from here',
    },
    'allow-empty': { type: 'boolean', about: 'Deploy even if there are no commands' },
    from: {
      type: 'string',
      value: 'NAME',
      about: 'Roll back to a set that an earlier deploy saved, by its name or file',
    },
    json: { type: 'boolean', about: 'Print one JSON object instead of text' },
  },
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
  run: ({ flags }, io) => deployCommands(flags, io),
});
