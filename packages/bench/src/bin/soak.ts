// `npm run soak`: runs the client for minutes or hours behind a faulty connection.
import { parseArgs } from 'node:util';
import { formatSoak } from '../soak/format-soak.js';
import { runSignals } from '../soak/run-signals.js';
import { runSoak } from '../soak/run-soak.js';

const SIGNAL_USES = 1_000_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '20' },
    signals: { type: 'boolean', default: false },
  },
});

function readNumber(name: 'minutes' | 'seed', min: number): number {
  const number = Number(values[name]);
  if (Number.isFinite(number) && number >= min) return number;
  throw new Error(`--${name} takes a number of at least ${min}, got "${values[name]}".`);
}

const breaches: string[] = [];
if (values.signals) {
  const { lines, breaches: broken } = await runSignals(SIGNAL_USES);
  console.log([...lines, '', ...(broken.length === 0 ? ['No leaks.'] : broken)].join('\n'));
  breaches.push(...broken);
} else {
  const minutes = readNumber('minutes', 1);
  const seed = readNumber('seed', 0);
  console.error(`${minutes} minutes, seed ${seed}`);
  const figures = await runSoak({ minutes, seed, report: (line) => console.error(line) });
  console.log(['', ...formatSoak(figures)].join('\n'));
  breaches.push(...figures.breaches);
}
process.exitCode = breaches.length === 0 ? 0 : 1;
