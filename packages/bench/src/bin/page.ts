/**
 * `npm run bench -- page`: the chat page in Chromium, in `--rounds 3`. Fails if a target is missed.
 * `CHROMIUM_PATH` is the browser.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { measurePage, type PageFigures } from '../page/measure-page.js';
import { median, percentile } from '../rounds/statistics.js';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== 'page'),
  options: { rounds: { type: 'string', default: '3' } },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds takes a whole number of at least 1, got "${values.rounds}".`);
const executablePath = process.env['CHROMIUM_PATH'];
if (!executablePath) throw new Error('No Chromium found. Install it, or set CHROMIUM_PATH.');

const results: PageFigures[] = [];
const browser = await chromium.launch({
  executablePath,
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-dev-shm-usage'],
});
try {
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`round ${round} of ${rounds}`);
    results.push(await measurePage(browser));
  }
} finally {
  await browser.close();
}

const inputMs = results.flatMap((result) => result.inputMs).toSorted((a, b) => a - b);
const medianOf = (name: Exclude<keyof PageFigures, 'inputMs'>) =>
  median(results.map((result) => result[name]));

/** Targets are maximums. */
const rows = [
  { what: 'first paint, ms', value: medianOf('firstPaintMs'), target: 300 },
  { what: 'input to row, median, ms', value: percentile(inputMs, 0.5), target: Infinity },
  { what: 'input to row, p95, ms', value: percentile(inputMs, 0.95), target: 16 },
  { what: '10,000 messages, s of CPU', value: medianOf('messagesCpuSeconds'), target: 1 },
  { what: '50,000 rows of trace, frames', value: medianOf('frames'), target: Infinity },
  { what: 'of these, later than 32 ms', value: medianOf('slowFrames'), target: 0 },
];
console.log('| what | measured | target |\n|---|---|---|');
for (const { what, value, target } of rows) {
  const isMissed = !(value <= target);
  const digits = value < 10 ? 2 : 0;
  console.log(
    `| ${what} | ${value.toFixed(digits)} | ${target === Infinity ? '' : `${target}${isMissed ? ', missed' : ''}`} |`,
  );
  if (isMissed) process.exitCode = 1;
}
console.log(
  `\nNode.js ${process.versions.node}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`,
);
