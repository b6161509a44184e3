import { parseArgs } from 'node:util';
import type { ScenarioPlan, Settings } from './scenario.js';
import { SCENARIOS } from './scenarios.js';

export interface BenchArguments {
  readonly plans: readonly ScenarioPlan[];
  readonly settings: Settings;
  readonly output: 'table' | 'markdown' | 'json';
}

export const DEFAULT_SETTINGS: Settings = {
  rounds: 6,
  slices: 20,
  warmUpCommands: 40_000,
  commands: 2_000,
  delayedCommands: 300,
  warmUpEvents: 384_000,
  events: 25_600,
  scaledCommands: 3_000,
};

export const QUICK_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  rounds: 1,
  slices: 10,
  warmUpCommands: 10_000,
  warmUpEvents: 64_000,
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
      base: { type: 'string' },
      quick: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { only, quick, markdown, json, base } = values;
  if (markdown && json) throw new Error('--markdown and --json cannot be combined.');
  const settings = quick ? QUICK_SETTINGS : DEFAULT_SETTINGS;
  return {
    plans: only === undefined ? SCENARIOS : only.split(',').map(planOf),
    settings: { ...settings, rounds: readRounds(values.rounds, settings.rounds), base },
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
