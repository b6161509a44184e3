import { startSimulator, type Simulator } from '@virgule/simulator';
import { defineCliCommand } from '../command.js';
import { FAULTS_FLAG, readFaultsFile } from '../faults-file.js';
import { freePort } from '../free-port.js';
import { interrupted } from '../interrupted.js';

export const simulator = defineCliCommand({
  name: 'simulator',
  words: '',
  about: 'Run only the simulator and its chat page',
  flags: {
    port: {
      type: 'port',
      value: 'N',
      about: 'Listen on this port or fail (default: the first free one from 7300)',
    },
    ...FAULTS_FLAG,
    json: { type: 'boolean', about: 'Print the addresses and tokens as one JSON object' },
  },
  examples: ['virgule simulator', 'virgule simulator --port 7400 --json'],
  async run({ flags }, io) {
    const faults = flags.faults === undefined ? undefined : await readFaultsFile(flags.faults, io);
    await using platform = await freePort(
      flags.port,
      (port) => startSimulator({ port, faults }),
      (text) => void io.stderr.write(`${text}\n`),
    );
    if (flags.json) io.stdout.write(`${JSON.stringify(addressesOf(platform))}\n`);
    else io.stdout.write(describe(platform));
    await interrupted(io.interrupt);
    return 0;
  },
});

/** Returns what a bot and a user need to reach a simulator. */
export function addressesOf({ page, baseUrl, gatewayUrl, token, userToken }: Simulator) {
  return { page, baseUrl, gatewayUrl, token, userToken };
}

function describe({ page, baseUrl, gatewayUrl, token }: Simulator): string {
  return [
    `  Page     ${page}`,
    '',
    '  Settings for a bot (throwaway values, good for this simulator only):',
    `  BOT_TOKEN=${token}`,
    `  BOT_BASE_URL=${baseUrl}`,
    `  BOT_GATEWAY_URL=${gatewayUrl}`,
    '',
    '  Ctrl+C stops it.',
    '',
  ].join('\n');
}
