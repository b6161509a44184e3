import { defineCliCommand } from '../terminal/command.js';
import { SIMULATOR_FLAGS } from '../terminal/simulator-flags.js';

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
    users: { type: 'string', value: 'N', about: 'Have this many users, up to 1000 (default: 5)' },
    servers: {
      type: 'string',
      value: 'N',
      about: 'Have this many servers, up to 100 (default: 3)',
    },
    sockets: {
      type: 'string',
      value: 'N',
      about: 'Accept this many sockets of the bot, up to 200 (default: 100)',
    },
    json: { type: 'boolean', about: 'Print the addresses and tokens as one JSON object' },
  },
  examples: ['virgule simulator', 'virgule simulator --port 7400 --json'],
  async run({ flags }, io) {
    const { serveSimulator } = await import('../sim/serve-simulator.js');
    return serveSimulator(flags, io);
  },
});
