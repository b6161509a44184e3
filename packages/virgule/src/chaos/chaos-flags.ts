import type { FlagValues } from '../terminal/arguments.js';

export const CHAOS_FLAGS = {
  only: { type: 'string', value: 'NAME', about: 'Try these faults only, such as "slow API"' },
  faults: { type: 'string', value: 'FILE', about: 'Try the faults of a file' },
  seed: { type: 'string', value: 'TEXT', about: 'Seed of the random faults (default: 1)' },
  json: { type: 'boolean', about: 'Print one JSON object' },
} as const;

export type ChaosFlags = FlagValues<typeof CHAOS_FLAGS>;
