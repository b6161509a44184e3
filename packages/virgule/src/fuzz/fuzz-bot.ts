import { raceAbort } from '@virgule/core/abort';
import { systemClock, systemRandom } from '@virgule/core/clock';
import { errorCode, toError } from '@virgule/core/errors';
import type { SimFaultPreset } from '@virgule/core/simulator-api';
import { countOf, cutMiddle, showOnOneLine } from '@virgule/core/text';
import { readFaultsFile } from '@virgule/simulator/program';
import type { Arbitrary } from 'fast-check';
import { cliErrors } from '../terminal/cli-errors.js';
import { createColors } from '../terminal/colors.js';
import { invalidFlag } from '../terminal/invalid-arguments.js';
import type { Io } from '../terminal/io.js';
import { createLineArbitrary, type FuzzLine } from './line-arbitrary.js';
import { openTrial, type Finding, type Trial } from './open-trial.js';
import { watchProcess } from './watch-process.js';

/** Maximum number of lines of each command, and of each command under each kind of fault. */
const LINES = 150;
const LINES_WITH_FAULTS = 10;

/** Time limit in milliseconds for the search of a simpler line. */
const SHRINK_MS = 4_000;

/** Maximum number of characters of a line in the output. */
const MAX_SHOWN = 240;

interface FoundLine extends Finding {
  readonly typed: FuzzLine;
  readonly result: string;
}

/** Name of a command or of the line of a user, and its lines. */
type Target = readonly [name: string, lines: Arbitrary<FuzzLine>];

/** Searches lines that a bot handles wrongly, prints the simplest line of each bug, and resolves with the exit code. */
export async function fuzzBot(
  typed: readonly string[],
  flags: { readonly faults?: string; readonly seed?: string; readonly json?: boolean },
  io: Io,
  load = () => import('fast-check'),
): Promise<number> {
  const { faults, seed: given, json = false } = flags;
  const { default: fc } = await load().catch((cause: unknown) => {
    if (errorCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const reason = 'fast-check is not installed';
    const advice = 'Run `npm install --save-dev fast-check`.';
    throw cliErrors.E_RUNTIME({ reason, advice }, { cause });
  });
  if (given !== undefined && !/^\d{1,9}$/.test(given))
    throw invalidFlag('seed', 'a whole number of at most 9 digits', given);
  const seed = Number(given ?? Math.floor(systemRandom() * 1e9));
  using watch = watchProcess(io.cwd);
  const trial = await openTrial(io, watch, seed);
  let lines = 0;
  const refused = new Set<string>();

  async function search([name, arbitrary]: Target, preset?: SimFaultPreset) {
    const known: FoundLine[] = [];
    const passed = new Set<string>();
    const isKnown = ({ key }: Finding): boolean => known.some((each) => each.key === key);
    for (let left = preset ? LINES_WITH_FAULTS : LINES; left > 0;) {
      let found: FoundLine | undefined;
      let shrinkUntilMs = Infinity;
      const property = fc.asyncProperty(arbitrary, async (line) => {
        const id = `${line.chance} ${line.line}`;
        if (systemClock.monotonic() > shrinkUntilMs) return true;
        if (passed.has(id) || passed.has(line.line)) return true;
        lines += 1;
        const { finding, result, isRandom } = await trial.try(line, preset);
        if (result !== 'input') refused.delete(name);
        const isPassed = !finding || isKnown(finding);
        if (isPassed) passed.add(preset || isRandom ? id : line.line);
        if (isPassed || (found && found.key !== finding.key)) return true;
        found = { ...finding, typed: line, result };
        shrinkUntilMs = Math.min(shrinkUntilMs, systemClock.monotonic() + SHRINK_MS);
        return false;
      });
      const options = { seed: seed + known.length, numRuns: left };
      const { numRuns, errorInstance } = await fc.check(property, options);
      // Errors of the bot are findings: the property throws only its own errors.
      if (!found && errorInstance) throw toError(errorInstance);
      if (!found) break;
      known.push(found);
      // Each line that hangs takes seconds.
      left = found.result === 'hangs' ? 0 : left - numRuns;
    }
    return known;
  }

  const findings: object[] = [];
  let failed = 0;
  const colors = createColors(io.color);
  const say = (text: string): void => void (json || io.stdout.write(`${text}\n`));
  const shown = (text: string): string => showOnOneLine(cutMiddle(text, MAX_SHOWN));

  /** Reports a finding, which is unstable if a new process of the bot does not repeat it. */
  async function report({ typed: line, key, place, ...found }: FoundLine, preset?: SimFaultPreset) {
    await trial.bot.restart();
    const unstable = (await trial.try(line, preset)).finding?.key !== key;
    if (!unstable) failed += 1;
    const what = io.redact(found.what);
    findings.push({ line: line.line, faults: preset?.name, what, place, unstable });
    const mark = unstable ? colors.yellow('? unstable:') : colors.red('✗');
    const where = place ? `  ${colors.dim(place)}` : '';
    say(`${mark} ${shown(line.line)}  ${shown(what)}${where}`);
  }

  async function searchAll(): Promise<void> {
    const presets = faults === undefined ? [undefined] : await presetsOf(faults, trial, io);
    const targets = typed.length > 0 ? typed.map(toTarget) : targetsOf(trial);
    for (const [name] of targets) refused.add(name);
    for (const preset of presets)
      for (const target of targets)
        for (const found of await search(target, preset)) await report(found, preset);
  }

  const toTarget = (line: string): Target => [
    line.split(/\s/)[0] ?? '',
    fc.nat(999).map((chance) => ({ line, values: {}, chance })),
  ];

  function targetsOf({ bot: { project, prefix } }: Trial): readonly Target[] {
    const linesOf = createLineArbitrary(fc);
    return [...project.commands.values()].map((command) => {
      const { name, messages } = command;
      const marks = messages === 'only' ? [prefix] : messages ? ['/', prefix] : ['/'];
      return [marks[0] + name, linesOf(command, marks)];
    });
  }

  await raceAbort(searchAll(), io.interrupt);
  await trial.bot.close();
  const free = [...watch.calls].map(([place, count]) => `${count} ${place}`);
  const skipped = [...refused];
  if (json) io.stdout.write(`${JSON.stringify({ v: 1, seed, lines, findings, skipped, free })}\n`);
  if (skipped.length > 0)
    say(
      `Skipped (no valid options): ${skipped.join(', ')}. Pass a line of your own, as in virgule fuzz "${skipped[0]} OPTIONS".`,
    );
  const uncontrolled = free.length > 0 ? `; not under control: ${free.join(', ')}` : '';
  say(
    `${countOf(findings.length, 'finding')}, ${countOf(lines, 'line')}, seed ${seed}${uncontrolled}`,
  );
  return failed === 0 ? 0 : 1;
}

/** Returns all kinds of faults, the named one, or the one of a file. */
async function presetsOf(name: string, { bot }: Pick<Trial, 'bot'>, io: Io) {
  const { presets } = bot.platform.faults;
  const named = presets.filter((preset) => name === 'all' || preset.name === name);
  if (named.length > 0) return named;
  const want = `${presets.map((preset) => `"${preset.name}"`).join(', ')} or a file such as faults.json`;
  if (!name.endsWith('.json')) throw invalidFlag('faults', want, name);
  const { rules } = await readFaultsFile(name, io.cwd);
  return [{ name, does: '', expected: '', rules }];
}
