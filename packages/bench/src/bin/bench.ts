// `npm run bench`: compares the packages of this repository with code written by hand.
import { cpus, loadavg } from 'node:os';
import { errorText } from '@virgule/core/errors';
import { compare } from '../rounds/compare.js';
import { formatMarkdown, formatTable, type Result } from '../rounds/format-table.js';
import { readBenchArguments } from '../rounds/read-bench-arguments.js';
import { runRounds } from '../rounds/run-rounds.js';
import type { ScenarioPlan } from '../rounds/scenario.js';

const { plans, settings, output } = readBenchArguments(process.argv.slice(2));
const report = (line: string): void => void process.stderr.write(`${line}\n`);
const startMs = performance.now();
const results: Result[] = [];

for (const { title, prepare } of plans) {
  const scenario = await prepared(title, prepare);
  if (!scenario) continue;
  try {
    const slices = await runRounds(scenario, settings.rounds, (round) =>
      report(`${title}: round ${round} of ${settings.rounds}`),
    );
    results.push({ ...scenario, title, comparisons: compare(scenario, slices) });
  } finally {
    await scenario.close?.();
  }
}

/** Prepares a scenario. If its peer cannot be installed, the others are still measured. */
async function prepared(title: string, prepare: ScenarioPlan['prepare']) {
  try {
    return await prepare(settings);
  } catch (error) {
    report(`${title}: not measured. ${errorText(error)}`);
    process.exitCode = 1;
    return undefined;
  }
}

const [processor] = cpus();
const machine = `Node.js ${process.versions.node}, ${cpus().length} x ${processor?.model ?? 'unknown processor'}`;
const how = `${settings.rounds} rounds, load ${loadavg()[0]?.toFixed(1)} at the end`;

if (output === 'json') {
  const shown = results.map(({ title, comparisons }) => ({ title, comparisons }));
  console.log(JSON.stringify({ machine, rounds: settings.rounds, results: shown }, undefined, 2));
} else if (output === 'markdown') {
  console.log([`${machine}; ${how}.`, '', ...results.flatMap(formatMarkdown)].join('\n').trimEnd());
} else {
  for (const result of results) console.log(formatTable(result).join('\n'));
}

const seconds = Math.round((performance.now() - startMs) / 1_000);
report(`\nRatios are medians of the ratios within each slice, with the quartiles in parentheses.`);
report(`${machine}; ${how}; ${seconds} s.`);
const missed = results.some(({ comparisons }) => comparisons.some((row) => row.missed.length > 0));
if (missed) process.exitCode = 1;
