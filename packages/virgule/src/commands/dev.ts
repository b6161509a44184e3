import { DEV_FLAGS } from '../dev/dev-flags.js';
import { defineCliCommand } from '../terminal/command.js';

export const dev = defineCliCommand({
  name: 'dev',
  words: '',
  about: 'Run the bot on a local simulator with a chat page and hot reload',
  flags: DEV_FLAGS,
  examples: [
    'virgule dev',
    'virgule dev --port 7400 --open',
    'virgule dev --inspect',
    'virgule dev --once --json',
    'virgule dev --live',
  ],
  exits: {
    0: 'stopped; with --once: no problems',
    1: 'could not start; with --once: problems; with --live: the connection ended permanently',
    130: 'a second Ctrl+C',
  },
  async run({ flags }, io) {
    if (flags.live) return (await import('../dev/run-live.js')).runLive(flags, io);
    const { runOnSimulator } = await import('../dev/run-on-simulator.js');
    return runOnSimulator(flags, io);
  },
});
