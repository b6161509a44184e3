import { PROFILE_NAMES } from '@virgule/core/profiles';

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
