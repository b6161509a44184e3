import { defineCliCommand } from '../terminal/command.js';
import { MODE_FLAG } from '../terminal/help.js';

export const doctor = defineCliCommand({
  name: 'doctor',
  words: '',
  about: 'Diagnose the environment: settings, project, token, gateway',
  flags: { ...MODE_FLAG, json: { type: 'boolean', about: 'Print one JSON object' } },
  exits: { 0: 'no check failed; there may be warnings', 1: 'a check failed' },
  examples: ['virgule doctor', 'virgule doctor --json'],
  endsAtSignals: true,
  run: async ({ flags }, io) =>
    (await import('../doctor/print-diagnosis.js')).printDiagnosis(flags, io),
});
