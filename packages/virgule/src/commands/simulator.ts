import { startSimulator } from '@virgule/simulator';
import { defineCliCommand } from '../terminal/command.js';
import { freePort } from '../terminal/free-port.js';
import { readFaultsFile, readProfile, SIMULATOR_FLAGS } from '../terminal/simulator-flags.js';
import { interrupted } from '../terminal/interrupted.js';
import { addressesOf, describeSimulator } from '../terminal/simulator-text.js';
import { openVoiceReceiver } from '../project/voice-receiver.js';

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
    const profile = readProfile(flags.profile);
    const faults = flags.faults === undefined ? undefined : await readFaultsFile(flags.faults, io);
    const bots = flags.bots?.split(',').map((username) => ({ username: username.trim() }));
    const size = {
      users: numberOf(flags.users),
      servers: numberOf(flags.servers),
      sockets: numberOf(flags.sockets),
    };
    await using platform = await freePort(
      flags.port,
      (port) =>
        startSimulator({
          profile,
          port,
          faults,
          bots,
          size,
          openReceiver: () => openVoiceReceiver(io.cwd),
        }),
      (text) => void io.stderr.write(`${text}\n`),
    );
    if (flags.json) io.stdout.write(`${JSON.stringify(addressesOf(platform))}\n`);
    else io.stdout.write(describeSimulator(platform));
    await interrupted(io.interrupt);
    return 0;
  },
});

/** Returns the number in a string; NaN if there is none, which the simulator reports. */
function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
