/**
 * `npm run bench -- voice`: the CPU and the memory of streams to voice channels. `--streams 1,10`, `--seconds 60`,
 * `--transport werift`. One stream for half an hour is a soak test: `--streams 1 --seconds 1800`. Fails if the number of
 * packets that a stream should have sent is missed by more than 5.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureVoice } from '../voice/measure-voice.js';

/** Packets by which a stream may miss the number that is due. */
const MAX_DIFFERENCE = 5;

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== 'voice'),
  options: {
    streams: { type: 'string', default: '1,10,50,200' },
    seconds: { type: 'string', default: '10' },
    transport: { type: 'string', default: 'node-datachannel' },
  },
});
const { transport } = values;
if (transport !== 'node-datachannel' && transport !== 'werift')
  throw new Error(`--transport takes node-datachannel or werift, got "${transport}".`);
const seconds = Number(values.seconds);
const counts = values.streams.split(',').map(Number);
if (![seconds, ...counts].every((number) => number > 0))
  throw new Error('--streams and --seconds take numbers above 0.');

console.log(`${transport}, ${seconds} s each\n`);
console.log(
  '| streams | CPU | each | RSS at start, middle, end | received of due | lost | underruns | skipped |',
);
console.log('|---|---|---|---|---|---|---|---|');
for (const streams of counts) {
  const row = await measureVoice({ streams, seconds, transport });
  const cells = [
    `${streams}`,
    `${row.cpuPercent.toFixed(1)} %`,
    `${(row.cpuPercent / streams).toFixed(3)} %`,
    `${row.rssMegabytes.map((megabytes) => megabytes.toFixed(1)).join(', ')} MB`,
    `${row.received} of ${row.due}`,
    `${row.lost}`,
    `${row.underruns}`,
    `${row.skippedMs} ms`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
  if (Math.abs(row.received - row.due) > MAX_DIFFERENCE * streams) process.exitCode = 1;
}
console.log(
  `\nNode.js ${process.versions.node}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`,
);
// Native threads would keep it alive.
process.exit();
