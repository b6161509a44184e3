import { PROFILE_NAMES } from '@virgule/core/profiles';
import type { FlagValues } from '../terminal/arguments.js';
import { MODE_FLAG } from '../terminal/help.js';

/** Flags of the commands that start a simulator. */
export const SIMULATOR_FLAGS = {
  port: {
    type: 'port',
    value: 'N',
    about: 'Listen on this port or fail (default: the first free one from 7300)',
  },
  faults: { type: 'string', value: 'FILE', about: 'Start with the faults of a file' },
  profile: {
    type: 'string',
    value: 'NAME',
    about: `Assumptions about the platform: ${PROFILE_NAMES.join(', ')}`,
  },
} as const;

/** The flags of `virgule dev`. */
export const DEV_FLAGS = {
  ...SIMULATOR_FLAGS,
  ...MODE_FLAG,
  open: { type: 'boolean', about: 'Open the chat page in the browser' },
  fresh: { type: 'boolean', about: 'Start with an empty chat' },
  once: {
    type: 'boolean',
    about: 'Start, register and check, then exit: 0 if there are no problems',
  },
  live: { type: 'boolean', about: 'Run on the real platform; registers nothing automatically' },
  inspect: {
    type: 'port',
    value: '[=PORT]',
    bare: '9229',
    about: 'Let a debugger attach to the process of the bot',
  },
  json: { type: 'boolean', about: 'Print one JSON object per line' },
} as const;

export type DevFlags = FlagValues<typeof DEV_FLAGS>;
