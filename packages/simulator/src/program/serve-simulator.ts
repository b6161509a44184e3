import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { onAbort } from '@virgule/core/abort';
import { errorText, isVirguleError } from '@virgule/core/errors';
import type { SimFaults } from '@virgule/core/simulator-api';
import { simulatorErrors } from '../simulator/simulator-errors.js';
import type { Simulator } from '../simulator/simulator.js';
import type { SimulatorOptions } from '../simulator/simulator-options.js';

/** Outside world of the program. */
interface ProgramIo {
  /** Folder to which the path of the faults is relative. */
  readonly cwd: string;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Ends the simulator. */
  readonly interrupt: AbortSignal;
}

interface ServeFlags {
  readonly port?: number | undefined;
  readonly faults?: string | undefined;
  /** Names of further bots, separated by commas. */
  readonly bots?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Runs a simulator until an interrupt, and prints its addresses. Resolves with the exit code. */
export async function serveSimulator(
  { port, faults, bots, json }: ServeFlags,
  { cwd, stdout, stderr, interrupt }: ProgramIo,
  options: Pick<SimulatorOptions, 'profile' | 'openReceiver'>,
): Promise<number> {
  await using simulator = await startOnFreePort(
    {
      ...options,
      port,
      faults: faults === undefined ? undefined : await readFaultsFile(faults, cwd),
      bots: bots?.split(',').map((username) => ({ username: username.trim() })),
    },
    (text) => void stderr.write(`${text}\n`),
  );
  stdout.write(json ? `${JSON.stringify(addressesOf(simulator))}\n` : describe(simulator));
  await new Promise<void>((end) => void onAbort(interrupt, () => end()));
  return 0;
}

/** Reads a file of faults. The simulator checks the content. @throws VirguleError `E_SIM_FAULTS`. */
export async function readFaultsFile(file: string, cwd: string): Promise<SimFaults> {
  try {
    return JSON.parse(await readFile(resolve(cwd, file), 'utf8')) as SimFaults;
  } catch (cause) {
    throw simulatorErrors.E_SIM_FAULTS({ kind: 'file', file, reason: errorText(cause) }, { cause });
  }
}

const FIRST_PORT = 7_300;
/** Number of default ports to try. */
const TRIES = 20;

/**
 * Starts a simulator on the requested port, or else on the first free default port. `notice` receives a line when the
 * port is not the first default port.
 *
 * @throws VirguleError `E_PORT_BUSY` when the requested port is in use, or all default ports are.
 */
export async function startOnFreePort(
  options: SimulatorOptions,
  notice: (text: string) => void,
  start?: (options: SimulatorOptions) => Promise<Simulator>,
): Promise<Simulator> {
  // Imported here, because an invalid file of faults needs no simulator.
  start ??= (await import('../simulator/start-simulator.js')).startSimulator;
  if (options.port !== undefined) return start(options);
  for (let port = FIRST_PORT; ; port += 1) {
    try {
      const started = await start({ ...options, port });
      if (port !== FIRST_PORT) notice(`Port ${FIRST_PORT} is in use; using port ${port}.`);
      return started;
    } catch (error) {
      if (!isVirguleError(error, 'E_PORT_BUSY') || port >= FIRST_PORT + TRIES - 1) throw error;
    }
  }
}

function addressesOf(simulator: Simulator) {
  const { page, baseUrl, gatewayUrl, token, userToken } = simulator;
  const tokens = Object.fromEntries(
    simulator.snapshot().bots.map((bot) => [bot.username, bot.token]),
  );
  return { page, baseUrl, gatewayUrl, token, tokens, userToken };
}

function describe(simulator: Simulator): string {
  const { page, baseUrl, gatewayUrl, token, tokens, userToken } = addressesOf(simulator);
  return [
    `  Page     ${page}`,
    '',
    '  Settings for a bot (throwaway values, good for this simulator only):',
    `  BOT_TOKEN=${token}`,
    `  BOT_BASE_URL=${baseUrl}`,
    `  BOT_GATEWAY_URL=${gatewayUrl}`,
    ...Object.entries(tokens)
      .slice(1)
      .map(([username, each]) => `  BOT_TOKEN=${each} for ${username}`),
    '',
    `  Token of a user: ${userToken}`,
    '',
    '  Ctrl+C stops it.',
    '',
  ].join('\n');
}
