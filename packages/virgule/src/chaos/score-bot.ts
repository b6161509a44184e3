import { readFaultsFile } from '@virgule/simulator/program';
import { systemClock } from '@virgule/core/clock';
import type { SimFaultPreset } from '@virgule/core/simulator-api';
import { countOf, showOnOneLine } from '@virgule/core/text';
import { commandNamed, type Project } from '@virgule/runtime/project';
import { createColors, type Colors } from '../terminal/colors.js';
import { invalidWords } from '../terminal/invalid-arguments.js';
import type { Io } from '../terminal/io.js';
import { openBot } from '../testing/open-bot.js';
import type { ChaosFlags } from './chaos-flags.js';
import { runChaos, type ChaosScore } from './run-chaos.js';
import { sampleLine } from './sample-line.js';

const EXPECTED = 'Users see the same as without faults.';

const HINT = '. LOG_LEVEL=warn shows the log.';

/** Profile with a short heartbeat interval, so that a dead connection is noticed soon. */
const PROFILE = { heartbeat: { intervalMs: 500 } };

/**
 * Scores the bot of the folder, prints the scores, and resolves with the exit code.
 *
 * @param typed - the lines to type; empty for every command with sample options.
 */
export async function scoreBot(
  typed: readonly string[],
  flags: ChaosFlags,
  io: Io,
): Promise<number> {
  const { only, faults, seed = '1', json = false } = flags;
  const refused = new Set<string>();
  let project: Project | undefined;
  await using bot = await openBot(io, {
    profile: PROFILE,
    level: 'silent',
    onLoaded: (loaded) => ({ project } = loaded),
    onEnded: ({ command, result }) => void (result === 'input' && refused.add(command)),
  });
  const { platform } = bot;
  const known = faults === undefined ? platform.faults.presets : [await presetOf(faults, io)];
  const presets = known.filter(({ name }) => only === undefined || name === only);
  if (presets.length === 0) {
    const want = `--only with one of ${known.map(({ name }) => `"${name}"`).join(', ')}`;
    throw invalidWords('chaos', want, [only ?? '']);
  }
  const names = platform.snapshot().commands.map(({ name }) => name);
  const { url } = platform.upload({ name: 'sample.txt', data: 'sample' });
  const samples = names.map((name) => {
    const command = project && commandNamed(project.commands, name);
    return command && sampleLine(name, command.spec.options, url);
  });
  const lines = typed.length > 0 ? typed : samples.filter((each) => each !== undefined);
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
  const notTried = typed.length > 0 ? [] : names.filter((_, index) => !samples[index]);
  const untried = [...notTried, ...refused];
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
