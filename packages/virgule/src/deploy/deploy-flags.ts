import type { FlagValues } from '../terminal/arguments.js';
import { MODE_FLAG } from '../terminal/help.js';

export const DEPLOY_FLAGS = {
  ...MODE_FLAG,
  'dry-run': { type: 'boolean', about: 'Print the plan and change nothing' },
  check: { type: 'boolean', about: 'Print the plan; exit code 0 without differences, 2 with some' },
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
} as const;

export type DeployFlags = FlagValues<typeof DEPLOY_FLAGS>;
