// `npm run bench -- reload`: measures the time from a save to the new answer, over a real socket.
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { formatHeap, formatKill, formatReload } from '../reload/format-reload.js';
import { judgeHeap, judgeKill, judgeReload } from '../reload/judge-reload.js';
import { measureHeap } from '../reload/measure-heap.js';
import { measureKill } from '../reload/measure-kill.js';
import { measureReload, type ReloadResult } from '../reload/measure-reload.js';
import { sapphireDev } from '../reload/sapphire-dev.js';
import { virguleDev, virguleLive } from '../reload/virgule-dev.js';

function readArguments() {
  const { values } = parseArgs({
    options: {
      files: { type: 'string', default: '100,1000' },
      rounds: { type: 'string', default: '4' },
      edits: { type: 'string', default: '6' },
      reloads: { type: 'string', default: '1000' },
      kills: { type: 'string', default: '3' },
      base: { type: 'string' },
      'no-peers': { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
    args: process.argv.slice(2).filter((argument) => argument !== 'reload'),
  });
  const bounded = (name: 'rounds' | 'edits' | 'reloads' | 'kills', max: number): number => {
    const value = Number(values[name]);
    if (Number.isInteger(value) && value >= 0 && value <= max) return value;
    throw new Error(`--${name} takes a whole number from 0 to ${max}, got "${values[name]}".`);
  };
  const files = values.files.split(',').map(Number);
  if (files.some((count) => !Number.isInteger(count) || count < 1 || count > 5_000))
    throw new Error(
      `--files takes a comma-separated list of whole numbers from 1 to 5000, got "${values.files}".`,
    );
  const { quick } = values;
  return {
    files: quick ? [100] : files,
    rounds: quick ? 1 : bounded('rounds', 100),
    edits: quick ? 3 : bounded('edits', 1_000),
    reloads: quick ? 100 : bounded('reloads', 100_000),
    kills: quick ? 1 : bounded('kills', 100),
    base: values.base,
    peers: !values['no-peers'],
    json: values.json,
  };
}

const { files, rounds, edits, reloads, kills, base, peers, json } = readArguments();
const report = (line: string): void => void process.stderr.write(`${line}\n`);
const subjects = [virguleLive(), ...(base === undefined ? [] : [virguleLive(base)]), virguleDev];
/** With 1,000 commands, edits of Sapphire had no effect within a minute; with 100 they have. */
const MAX_PEER_FILES = 100;
const results: ReloadResult[] = [];
if (rounds > 0 && edits > 0)
  for (const count of files) {
    const measured = peers && count <= MAX_PEER_FILES ? [...subjects, sapphireDev] : subjects;
    results.push(...(await measureReload(measured, { files: count, rounds, edits, report })));
  }
const heap = reloads > 0 ? await measureHeap(reloads, report) : undefined;
const kill = kills > 0 ? await measureKill(kills) : undefined;

if (json) console.log(JSON.stringify({ results, heap, kill }, undefined, 2));
else {
  console.log(formatReload(results).join('\n'));
  if (heap) console.log(formatHeap(heap));
  if (kill) console.log(formatKill(kill));
}
const { missed: late, ahead } = judgeReload(results);
const missed = [...late, ...(heap ? judgeHeap(heap) : []), ...(kill ? judgeKill(kill) : [])];
for (const line of missed) report(`missed: ${line}`);
for (const line of ahead) report(`aim: ${line}`);
const [processor] = cpus();
report(
  `Node ${process.versions.node}, ${cpus().length} x ${processor?.model ?? 'unknown processor'}, ` +
    `load ${loadavg()[0]?.toFixed(1)} at the end.`,
);
process.exitCode = missed.length > 0 ? 1 : 0;
