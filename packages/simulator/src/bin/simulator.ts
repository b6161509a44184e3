// `virgule-simulator`: the simulator alone, for a bot in any language.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatError, isVirguleError } from '@virgule/core/errors';
import { PROFILE_NAMES, profileNamed } from '@virgule/core/protocol';
import type { SimFaults } from '@virgule/core/simulator-api';
import { startSimulator, type Simulator, type SimulatorOptions } from '../index.js';

const FIRST_PORT = 7_300;
/** Number of default ports to try. */
const TRIES = 20;

const HELP = `Starts the chat platform on this machine, with a chat page, for a bot in any language.

  --port N       listen on this port or fail (default: the first free one from ${FIRST_PORT})
  --bots NAMES   add bots, each with its own token, such as music,quiz
  --faults FILE  start with the faults of a JSON file
  --profile NAME assume this behavior where the Bot Interface specifies none: ${PROFILE_NAMES.join(', ')}
  --users N      have this many users, up to 1000 (default: 5)
  --servers N    have this many servers, up to 100 (default: 3)
  --sockets N    accept this many sockets of the bot, up to 200 (default: 100)
  --json         print the addresses and tokens as one JSON object
  --help         show this help

Ctrl+C stops it.
`;

async function start(
  port: string | undefined,
  options: Pick<SimulatorOptions, 'bots' | 'faults' | 'profile' | 'size'>,
): Promise<Simulator> {
  if (port !== undefined) return startSimulator({ ...options, port: Number(port) });
  for (let next = FIRST_PORT; ; next += 1) {
    try {
      return await startSimulator({ ...options, port: next });
    } catch (error) {
      if (!isVirguleError(error, 'E_PORT_BUSY') || next === FIRST_PORT + TRIES - 1) throw error;
    }
  }
}

/** Returns a number; NaN, which the simulator reports, for a string in another form. */
const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      bots: { type: 'string' },
      faults: { type: 'string' },
      profile: { type: 'string', default: 'default' },
      users: { type: 'string' },
      servers: { type: 'string' },
      sockets: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const faults =
    values.faults === undefined
      ? undefined
      : // The simulator checks the contents.
        (JSON.parse(readFileSync(values.faults, 'utf8')) as SimFaults);
  const size = {
    users: numberOf(values.users),
    servers: numberOf(values.servers),
    sockets: numberOf(values.sockets),
  };
  const bots = values.bots?.split(',').map((username) => ({ username: username.trim() }));
  const profile = profileNamed(values.profile);
  if (profile === undefined)
    throw new Error(`--profile must be one of ${PROFILE_NAMES.join(', ')}, saw ${values.profile}.`);
  const simulator = await start(values.port, { bots, faults, size, profile });
  const { page, baseUrl, gatewayUrl, token, userToken } = simulator;
  const all = simulator.snapshot().bots;
  const tokens = Object.fromEntries(all.map((bot) => [bot.username, bot.token]));
  const text = values.json
    ? JSON.stringify({ page, baseUrl, gatewayUrl, token, tokens, userToken })
    : [
        `  Chat page     ${page}`,
        `  Base URL      ${baseUrl}`,
        `  Gateway URL   ${gatewayUrl}`,
        `  Bot token     ${token}`,
        ...all.slice(1).map((bot) => `  Token of ${bot.username}  ${bot.token}`),
        `  User token    ${userToken}`,
        '',
        '  The tokens are throwaway values, valid for this simulator only. Ctrl+C stops it.',
      ].join('\n');
  process.stdout.write(`${text}\n`);
  const stop = (): void => void simulator.close();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
}

run().catch((error: unknown) => {
  const text = isVirguleError(error) ? formatError(error) : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});
