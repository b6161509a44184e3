import { startSimulator, type Simulator } from '@virgule/simulator';
import { Pool } from 'undici';
import { percentile } from '../rounds/statistics.js';
import type { CommandFigures, CommandLoadOptions } from './command-load.js';
import { commandOptions, ROLL, rollAnswer } from './sample-data.js';

export interface SimulatorPlatform {
  readonly port: number;
  readonly token: string;
  /** Resolves when a bot has identified. */
  readonly identified: Promise<void>;
  readonly runCommands: (options: CommandLoadOptions) => Promise<CommandFigures>;
  close(): Promise<void>;
}

const integer = (name: string) => ({
  name,
  description: `The ${name}`,
  type: 'integer',
  required: true,
});

const COMMANDS = [
  { name: ROLL, description: 'Roll some dice', options: [integer('sides'), integer('count')] },
];

/** Starts the simulator, for the same load as the fake platform: users who run `/roll`. */
export async function startSimulatorPlatform(): Promise<SimulatorPlatform> {
  const simulator = await startSimulator({ pageDir: null });
  await registerCommands(simulator);
  return {
    port: simulator.port,
    token: simulator.token,
    identified: new Promise((resolve) =>
      simulator.on((event) => {
        if (event.type === 'bot' && event.bot.connected) resolve();
      }),
    ),
    runCommands: (options) => runCommands(simulator, options),
    close: () => simulator.close(),
  };
}

async function registerCommands({ baseUrl, token }: Simulator): Promise<void> {
  const pool = new Pool(baseUrl);
  const { statusCode, body } = await pool.request({
    path: '/api/bot/v1/commands',
    method: 'PUT',
    headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ commands: COMMANDS }),
  });
  await body.dump();
  await pool.close();
  if (statusCode !== 200)
    throw new Error(`The simulator rejected the commands with status ${statusCode}.`);
}

/** A command without an answer. */
interface Waiting {
  readonly index: number;
  readonly sentAtMs: number;
}

function runCommands(
  simulator: Simulator,
  { count, outstanding }: CommandLoadOptions,
): Promise<CommandFigures> {
  const waiting = new Map<string, Waiting>();
  const tookMs: number[] = [];
  const startMs = performance.now();
  let sent = 0;
  let due = 0;
  let wrong = 0;
  let doubled = 0;

  function runDue(): void {
    for (; due > 0; due -= 1) {
      const index = sent;
      sent += 1;
      const { sides, count: dice } = commandOptions(index);
      const { id } = simulator.run({ rawInput: `/${ROLL} ${sides} ${dice}` });
      waiting.set(id, { index, sentAtMs: performance.now() });
    }
  }

  function runLater(more: number): void {
    if (due === 0) setImmediate(runDue);
    due += more;
  }

  return new Promise((resolve) => {
    const stop = simulator.on((event) => {
      if (event.type !== 'message') return;
      const { interactionId, content } = event.message;
      if (interactionId === null) return;
      const command = waiting.get(interactionId);
      if (!command) {
        doubled += 1;
        return;
      }
      waiting.delete(interactionId);
      if (content !== rollAnswer(command.index)) wrong += 1;
      tookMs.push(performance.now() - command.sentAtMs);
      if (tookMs.length === count) finish();
      else if (sent + due < count) runLater(1);
    });

    function finish(): void {
      stop();
      const sorted = tookMs.toSorted((a, b) => a - b);
      resolve({
        perSecond: count / ((performance.now() - startMs) / 1_000),
        p50Ms: percentile(sorted, 0.5),
        p99Ms: percentile(sorted, 0.99),
        wrong,
        doubled,
      });
    }

    runLater(Math.min(outstanding, count));
  });
}
