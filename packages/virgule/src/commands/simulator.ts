import { PROGRAM_FLAGS } from '@virgule/core/profiles';
import { openVoiceReceiver } from '../project/voice-receiver.js';
import { defineCliCommand } from '../terminal/command.js';
import { readProfile } from '../terminal/read-profile.js';

export const simulator = defineCliCommand({
  name: 'simulator',
  words: '',
  about: 'Run only the simulator and its chat page',
  flags: PROGRAM_FLAGS,
  examples: ['virgule simulator', 'virgule simulator --port 7400 --json'],
  async run({ flags }, io) {
    const { serveSimulator } = await import('@virgule/simulator/program');
    return serveSimulator(flags, io, {
      profile: await readProfile(flags.profile, io.cwd),
      openReceiver: () => openVoiceReceiver(io.cwd),
    });
  },
});
