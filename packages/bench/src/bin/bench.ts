// `npm run bench`: compares the client and the runtime with a hand-written bot.
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { compare } from '../rounds/compare.js';
import { formatTable } from '../rounds/format-table.js';
import { runRounds } from '../rounds/run-rounds.js';
import { scenarios, type Size } from '../rounds/scenarios.js';

const USUAL: Size = { rounds: 6, commands: 20_000, delayedCommands: 1_500, events: 192_000 };
const QUICK: Size = { rounds: 2, commands: 6_000, delayedCommands: 600, events: 64_000 };

function readArguments() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const size = values.quick ? QUICK : USUAL;
  const rounds = values.rounds === undefined ? size.rounds : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number.');
  return { size: { ...size, rounds }, json: values.json };
}

const { size, json } = readArguments();
const startMs = performance.now();
const results = [];
for (const scenario of scenarios(size)) {
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  results.push({
    name: scenario.name,
    comparisons: compare(scenario, await runRounds(scenario, size.rounds, tell)),
  });
}

if (json) console.log(JSON.stringify(results, undefined, 2));
else
  for (const { name, comparisons } of results)
    console.log(formatTable(name, comparisons).join('\n'));

const [processor] = cpus();
const seconds = Math.round((performance.now() - startMs) / 1_000);
console.error(
  `\n${size.rounds} rounds, ratios are medians of those inside each round; ${seconds} s. ` +
    `Node ${process.versions.node}, ${cpus().length} x ${processor?.model ?? 'unknown processor'}, ` +
    `load ${loadavg()[0]?.toFixed(1)} at the end.`,
);
const judged = results.flatMap(({ comparisons }) => comparisons.filter((row) => !row.informative));
if (judged.some(({ missed }) => missed.length > 0)) process.exitCode = 1;
