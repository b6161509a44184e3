import { SIMULATOR_FLAGS } from '../dev/dev-flags.js';
import { defineCliCommand } from '../terminal/command.js';

export const simulator = defineCliCommand({
  name: 'simulator',
  words: '',
  about: 'Run only the simulator and its chat page',
  flags: {
    ...SIMULATOR_FLAGS,
    bots: {
      type: 'string',
      value: 'NAMES',
      about: 'Add bots, each with its own token, such as music,quiz',
    },
    json: { type: 'boolean', about: 'Print the addresses and tokens as one JSON object' },
  },
  examples: ['virgule simulator', 'virgule simulator --port 7400 --json'],
  exits: { 0: 'stopped by Ctrl+C or SIGTERM', 1: 'it could not start', 130: 'a second Ctrl+C' },
  async run({ flags }, io) {
    const { serveSimulator } = await import('@virgule/simulator/program');
    const { openVoiceReceiver } = await import('../project/voice-receiver.js');
    const { readProfile } = await import('../terminal/read-profile.js');
    return serveSimulator(flags, io, {
      profile: await readProfile(flags.profile, io.cwd),
      openReceiver: () => openVoiceReceiver(io.cwd),
    });
  },
});
