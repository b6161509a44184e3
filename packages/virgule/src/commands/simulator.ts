import { SIMULATOR_FLAGS } from '../dev/dev-flags.js';
import { openVoiceReceiver } from '../project/voice-receiver.js';
import { defineCliCommand } from '../terminal/command.js';
import { readProfile } from '../terminal/read-profile.js';

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
  async run({ flags }, io) {
    const { serveSimulator } = await import('@virgule/simulator/program');
    return serveSimulator(flags, io, {
      profile: await readProfile(flags.profile, io.cwd),
      openReceiver: () => openVoiceReceiver(io.cwd),
    });
  },
});
