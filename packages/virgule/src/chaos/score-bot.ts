import { readFaultsFile } from '@virgule/simulator/program';
import { systemClock } from '@virgule/core/clock';
import type { Command } from '@virgule/core/protocol';
import type { SimFaultPreset } from '@virgule/core/simulator-api';
import { countOf, showOnOneLine } from '@virgule/core/text';
import { createColors, type Colors } from '../terminal/colors.js';
import { invalidWords } from '../terminal/invalid-arguments.js';
import type { Io } from '../terminal/io.js';
import { openBot } from '../testing/open-bot.js';
import type { ChaosFlags } from './chaos-flags.js';
import { runChaos, type ChaosScore } from './run-chaos.js';

const EXPECTED = 'Users see the same as without faults.';

const HINT = '. LOG_LEVEL=warn shows the log.';

/** Profile with a short heartbeat interval, so that a dead connection is noticed soon. */
const PROFILE = { heartbeat: { intervalMs: 500 } };

/**
 * Scores the bot of the folder, prints the scores, and resolves with the exit code.
 *
 * @param line - the only line to type; `undefined` for every command with sample options.
 */
export async function scoreBot(
  line: string | undefined,
  flags: ChaosFlags,
  io: Io,
): Promise<number> {
  const { only, faults, seed = '1', json = false } = flags;
  const refused = new Set<string>();
  await using bot = await openBot(io, {
    profile: PROFILE,
    level: 'silent',
    onEnded: ({ command, result }) => void (result === 'input' && refused.add(command)),
  });
  const { platform } = bot;
  const known = faults === undefined ? platform.faults.presets : [await presetOf(faults, io)];
  const presets = known.filter(({ name }) => only === undefined || name === only);
  if (presets.length === 0) {
    const want = `--only with one of ${known.map(({ name }) => `"${name}"`).join(', ')}`;
    throw invalidWords('chaos', want, [only ?? '']);
  }
  const { commands } = platform.snapshot();
  const { url } = platform.upload({ name: 'sample.txt', data: 'sample' });
  const samples = commands.map((command) => sampleLine(command, url));
  const lines = line === undefined ? samples.filter((each) => each !== undefined) : [line];
  const say = (text: string): void => void (json || io.stdout.write(text));
  const colors = createColors(io.color);
  say(
    `${countOf(presets.length, 'kind')} of trouble, ${countOf(lines.length, 'line')}, seed ${seed}\n\n`,
  );
  const scores: ChaosScore[] = [];
  const clock = systemClock;
  for await (const score of runChaos({ bot, lines, presets, seed, clock, signal: io.interrupt })) {
    scores.push(score);
    say(describe(score, colors));
  }
  const failed = scores.filter(({ failures }) => failures.length > 0).length;
  const notTried = line === undefined ? commands.filter((_, index) => !samples[index]) : [];
  const untried = [...notTried.map(({ name }) => name), ...refused];
  if (json) io.stdout.write(`${JSON.stringify({ v: 1, seed, lines, untried, scores })}\n`);
  const result = `${scores.length - failed} passed, ${failed} failed${failed > 0 ? HINT : ''}`;
  say(`\n${describeUntried(untried)}${result}\n`);
  return failed === 0 ? 0 : 1;
}

async function presetOf(file: string, io: Io): Promise<SimFaultPreset> {
  const faults = await readFaultsFile(file, io.cwd);
  return { ...faults, name: file, does: `Applies the rules of ${file}.`, expected: EXPECTED };
}

/** Returns a line with the commands that passed nothing, because their handlers did not run. */
const describeUntried = (names: readonly string[]): string =>
  names.length === 0
    ? ''
    : `Skipped (no valid options): ${names.map((name) => `/${name}`).join(', ')}. Pass a line of your own, as in virgule chaos "/${names[0]} OPTIONS".\n`;

function describe(
  { preset, expected, hits, ms, failures }: ChaosScore,
  { green, red, dim }: Colors,
): string {
  const mark = failures.length === 0 ? green('✓') : red('✗');
  const facts = dim(`${countOf(hits, 'fault')}, ${(ms / 1_000).toFixed(1)} s`);
  const head = `  ${mark} ${preset.padEnd(18)} ${facts}\n`;
  if (failures.length === 0) return head;
  const lines = [...failures.map(showOnOneLine), dim(`Expected: ${expected}`)];
  return head + lines.map((line) => `      ${line}\n`).join('');
}

/**
 * Sample values as typed, by type of option. Types without a sample cannot be typed, or need the id of an existing
 * object.
 */
const SAMPLES: Readonly<Record<string, string>> = {
  // Also valid as a duration.
  string: '1m',
  integer: '3',
  number: '1.5',
  boolean: 'yes',
  user: '@ada',
  mentionable: '@ada',
  channel: '#general',
};

/**
 * Returns a line that runs a command with a value for each required option; `undefined` if an option has no sample.
 *
 * @param attachment - URL of a file
 */
export function sampleLine({ name, options }: Command, attachment: string): string | undefined {
  const samples: Readonly<Record<string, string>> = { ...SAMPLES, attachment };
  const values = options.filter(({ required }) => required).map(({ type }) => samples[type]);
  if (values.includes(undefined)) return undefined;
  return [`/${name}`, ...values].join(' ');
}
