import { parseArgs } from 'node:util';
import { SCENARIOS, type ScenarioPlan, type Size } from './scenarios.js';

export interface BenchArguments {
  readonly plans: readonly ScenarioPlan[];
  readonly size: Size;
  readonly output: 'table' | 'markdown' | 'json';
}

export const USUAL: Size = {
  rounds: 6,
  commands: 20_000,
  delayedCommands: 1_500,
  events: 192_000,
  open: 10_000,
  files: 100,
};

export const QUICK: Size = {
  ...USUAL,
  rounds: 2,
  commands: 6_000,
  delayedCommands: 600,
  open: 2_000,
  events: 64_000,
};

/**
 * What `npm run bench -- …` was asked for.
 *
 * @throws Error that says what is wrong with the arguments.
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
  if (markdown && json) throw new Error('Give either --markdown or --json.');
  const size = quick ? QUICK : USUAL;
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
  throw new Error(`--only takes some of ${known}, with commas between them; saw "${word}".`);
}

function readRounds(text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const rounds = Number(text);
  if (Number.isInteger(rounds) && rounds > 0) return rounds;
  throw new Error(`--rounds takes a whole number from 1 on; saw "${text}".`);
}
