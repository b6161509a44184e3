import { raceAbort } from '@virgule/core/abort';
import { systemClock, systemRandom } from '@virgule/core/clock';
import { errorCode, namedErrorText, toError } from '@virgule/core/errors';
import type { SimFaultPreset } from '@virgule/core/simulator-api';
import { countOf, cutMiddle, showOnOneLine } from '@virgule/core/text';
import { readFaultsFile } from '@virgule/simulator/program';
import { cliErrors } from '../terminal/cli-errors.js';
import { createColors } from '../terminal/colors.js';
import { invalidFlag, invalidWords } from '../terminal/invalid-arguments.js';
import type { Io } from '../terminal/io.js';
import type { StartedBot } from '../testing/create-test-bot.js';
import { createLineArbitrary } from './line-arbitrary.js';
import { openTrial, type Finding, type Noted } from './open-trial.js';
import { watchProcess } from './watch-process.js';

/** Maximum number of lines of each command: with an empty storage, after other commands, and under each kind of fault. */
const LINES = { first: 30, later: 120, withFaults: 20 };

/** Time limit in milliseconds for the search of a simpler line. */
const SHRINK_MS = 4_000;

/** Maximum number of characters of a line in the output. */
const MAX_SHOWN = 240;

interface Found {
  readonly line: string;
  readonly chance: number;
  readonly finding: Finding;
}

/** Searches lines that a bot handles wrongly, prints the simplest line of each bug, and resolves with the exit code. */
export async function fuzzBot(
  typed: readonly string[],
  flags: { readonly faults?: string; readonly seed?: string; readonly json?: boolean },
  io: Io,
  load = () => import('fast-check'),
): Promise<number> {
  const { faults, seed: typedSeed, json = false } = flags;
  if (typed.includes('')) throw invalidWords('fuzz', 'lines in quotes, such as "/roll 20"', typed);
  const { default: fc } = await load().catch((cause: unknown) => {
    if (errorCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const reason = 'fast-check is not installed';
    const advice = 'Run `npm install --save-dev fast-check`.';
    throw cliErrors.E_RUNTIME({ reason, advice }, { cause });
  });
  if (typedSeed !== undefined && !/^\d{1,9}$/.test(typedSeed))
    throw invalidFlag('seed', 'a whole number of at most 9 digits', typedSeed);
  const seed = Number(typedSeed ?? Math.floor(systemRandom() * 1e9));
  const noted: Noted[] = [];
  using watch = watchProcess(io.cwd, (error) =>
    noted.unshift([`leaves an error unhandled: ${namedErrorText(error)}`, error]),
  );
  const { bot, tryLine, forget } = await openTrial(io, seed, noted);
  const given = typed.map((line) => [line.split(/\s/)[0] ?? '', fc.constant(line)] as const);
  const linesOf = createLineArbitrary(fc);
  const generated = [...bot.project.commands.values()].map((command) => {
    const { name, messages } = command;
    const marks = messages === 'only' ? [bot.prefix] : messages ? ['/', bot.prefix] : ['/'];
    return [marks[0] + name, linesOf(command, marks)] as const;
  });
  const targets = typed.length > 0 ? given : generated;
  const refused = new Set(targets.map(([name]) => name));
  const findings: { readonly unstable: boolean }[] = [];
  let lines = 0;
  const colors = createColors(io.color);
  const say = (text: string): void => void (json || io.stdout.write(`${text}\n`));
  const shown = (text: string): string => showOnOneLine(cutMiddle(text, MAX_SHOWN));

  function report({ line, finding }: Found, unstable: boolean, preset?: SimFaultPreset): void {
    const { place } = finding;
    const what = io.redact(finding.what);
    const shownFinding = { line, faults: preset?.name, what, place, unstable };
    findings.push(shownFinding);
    const mark = unstable ? colors.yellow('? unstable:') : colors.red('✗');
    say(`${mark} ${shown(line)}  ${shown(what)}${place ? `  ${colors.dim(place)}` : ''}`);
  }

  /** Keys of the reported bugs, by target and fault. */
  const knownOf = new Map<string, Set<string>>();
  /** Findings that did not occur with an empty storage, and whether they are unstable, by target, fault and key. */
  const doubtful = new Map<string, Parameters<typeof report>>();

  /** Reports each bug that lines find, with the simplest of its lines. */
  async function search(target: (typeof targets)[number], count: number, preset?: SimFaultPreset) {
    const [name, arbitrary] = target;
    const about = `${targets.indexOf(target)} ${preset?.name}`;
    const known = knownOf.get(about) ?? new Set();
    knownOf.set(about, known);
    const passed = new Set<string>();
    const isAgain = async ({ line, chance, finding }: Found): Promise<boolean> =>
      (await tryLine(line, chance, preset)).finding?.key === finding.key;
    for (let left = count; left > 0;) {
      let found: Found | undefined;
      let shrinkUntilMs = Infinity;
      // Seeds near the bounds begin with the least and the greatest random numbers.
      const chances = fc.integer({ min: 1, max: 2 ** 31 - 2 });
      const property = fc.asyncProperty(arbitrary, chances, async (line, chance) => {
        const id = `${chance} ${line}`;
        if (passed.has(id) || passed.has(line)) return true;
        // Each line that hangs takes seconds, so the first one is the last, unless it is shrunk.
        if (systemClock.monotonic() > shrinkUntilMs || (left === 0 && !found)) return true;
        lines += 1;
        // A simpler line must not depend on earlier ones.
        if (found) await forget();
        const { finding, result, isRandom } = await tryLine(line, chance, preset);
        if (result !== 'input') refused.delete(name);
        if (result === 'hangs') left = 0;
        const isPassed = !finding || known.has(finding.key);
        if (isPassed) passed.add(preset || isRandom ? id : line);
        if (isPassed || (found && found.finding.key !== finding.key)) return true;
        const tried = { line, chance, finding };
        if (!found) {
          const isFirst = !doubtful.has(about + finding.key);
          const unstable = isFirst && !(await isAgain(tried));
          await forget(true);
          if (!(await isAgain(tried))) {
            if (isFirst) doubtful.set(about + finding.key, [tried, unstable, preset]);
            return true;
          }
        }
        found = tried;
        shrinkUntilMs = Math.min(shrinkUntilMs, systemClock.monotonic() + SHRINK_MS);
        return false;
      });
      const options = { seed: seed + count + known.size, numRuns: left };
      const { numRuns, errorInstance } = await fc.check(property, options);
      // Errors of the bot are findings: the property throws only its own errors.
      if (!found && errorInstance) throw toError(errorInstance);
      if (!found) break;
      left -= numRuns;
      known.add(found.finding.key);
      doubtful.delete(about + found.finding.key);
      await forget(true);
      report(found, !(await isAgain(found)), preset);
    }
  }

  async function searchAll(): Promise<void> {
    if (faults !== undefined) {
      for (const preset of await presetsOf(faults, bot, io))
        for (const target of targets) await search(target, LINES.withFaults, preset);
      return;
    }
    // A command may fail only before other commands have stored something, or only after that.
    for (const target of typed.length > 0 ? [] : targets) {
      await forget();
      await search(target, LINES.first);
    }
    for (const target of targets) await search(target, LINES.later);
  }

  await raceAbort(searchAll(), io.interrupt).finally(() => {
    for (const each of doubtful.values()) report(...each);
  });
  await bot.close();
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
  return findings.every(({ unstable }) => unstable) ? 0 : 1;
}

/** Returns all kinds of faults, the named one, or the one of a file. */
async function presetsOf(name: string, { platform }: StartedBot, io: Io) {
  const { presets } = platform.faults;
  const named = presets.filter((preset) => name === 'all' || preset.name === name);
  if (named.length > 0) return named;
  const want = `${presets.map((preset) => `"${preset.name}"`).join(', ')} or a file such as faults.json`;
  if (!name.endsWith('.json')) throw invalidFlag('faults', want, name);
  const { rules } = await readFaultsFile(name, io.cwd);
  return [{ name, does: '', expected: '', rules }];
}
