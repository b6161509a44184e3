import { parseArgs } from 'node:util';
import type { ScenarioPlan, Size } from './scenario.js';
import { SCENARIOS } from './scenarios.js';

export interface BenchArguments {
  readonly plans: readonly ScenarioPlan[];
  readonly size: Size;
  readonly output: 'table' | 'markdown' | 'json';
}

export const DEFAULT_SIZE: Size = {
  rounds: 6,
  warmUpCommands: 40_000,
  commands: 30_000,
  delayedCommands: 1_500,
  events: 384_000,
  open: 10_000,
  files: 100,
  scaledCommands: 3_000,
};

export const QUICK_SIZE: Size = {
  ...DEFAULT_SIZE,
  rounds: 2,
  warmUpCommands: 4_000,
  commands: 6_000,
  delayedCommands: 600,
  open: 2_000,
  events: 64_000,
  scaledCommands: 600,
};

/**
 * Parses the arguments of `npm run bench -- …`.
 *
 * @throws Error for invalid arguments.
 */
export function readBenchArguments(argv: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { only, quick, markdown, json } = values;
  if (markdown && json) throw new Error('--markdown and --json cannot be combined.');
  const size = quick ? QUICK_SIZE : DEFAULT_SIZE;
  return {
    plans: only === undefined ? SCENARIOS : only.split(',').map(planOf),
    size: { ...size, rounds: readRounds(values.rounds, size.rounds) },
    output: json ? 'json' : markdown ? 'markdown' : 'table',
  };
}

function planOf(word: string): ScenarioPlan {
  const plan = SCENARIOS.find(({ id }) => id === word.trim());
  if (plan) return plan;
  const known = SCENARIOS.map(({ id }) => id).join(', ');
  throw new Error(`--only takes a comma-separated list of ${known}, got "${word}".`);
}

function readRounds(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const rounds = Number(text);
  if (Number.isInteger(rounds) && rounds > 0) return rounds;
  throw new Error(`--rounds takes a whole number of at least 1, got "${text}".`);
}
