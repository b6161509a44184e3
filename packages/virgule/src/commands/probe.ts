import { defineCliCommand } from '../terminal/command.js';
import { MODE_FLAG } from '../terminal/help.js';

export const PROBE_FLAGS = {
  ...MODE_FLAG,
  channel: { type: 'string', value: 'ID', about: 'Channel for the probe messages' },
  'write-commands': { type: 'boolean', about: 'Register the same commands; ids may change' },
  'dry-run': { type: 'boolean', about: 'Print the plan and call nothing' },
  yes: { type: 'boolean', about: 'Confirm the plan' },
} as const;

export const probe = defineCliCommand({
  name: 'probe',
  words: '',
  about: 'Measure behavior that the Bot Interface does not specify',
  flags: PROBE_FLAGS,
  exits: { 0: 'measured, or planned', 1: 'not confirmed, an error, or probe messages may remain' },
  examples: ['virgule probe --channel 0b6e51cb-7a0a-4d9f-8f5c-2f6f0a4f6c3d --dry-run'],
  run: async ({ flags }, io) => (await import('../probe/run-probe.js')).runProbe(flags, io),
});
