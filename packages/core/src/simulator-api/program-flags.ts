import { PROFILE_NAMES } from '../protocol/profiles.js';

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
    about: `Assume this of the platform: ${PROFILE_NAMES.join(', ')}`,
  },
} as const;

/** Flags of the simulator as a program. */
export const PROGRAM_FLAGS = {
  ...SIMULATOR_FLAGS,
  bots: {
    type: 'string',
    value: 'NAMES',
    about: 'Add bots, each with its own token, such as music,quiz',
  },
  users: { type: 'string', value: 'N', about: 'Have this many users, up to 1000 (default: 5)' },
  servers: { type: 'string', value: 'N', about: 'Have this many servers, up to 100 (default: 3)' },
  sockets: {
    type: 'string',
    value: 'N',
    about: 'Accept this many sockets of the bot, up to 200 (default: 100)',
  },
  json: { type: 'boolean', about: 'Print the addresses and tokens as one JSON object' },
} as const;

type Flags = typeof PROGRAM_FLAGS;

/** Values of the flags. */
export type ProgramFlags = {
  readonly [Name in keyof Flags]?: {
    string: string;
    port: number;
    boolean: boolean;
  }[Flags[Name]['type']];
};
