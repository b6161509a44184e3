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
const LINES_WITH_FAULTS = 20;

/** Time limit in milliseconds for the search of a simpler line. */
const SHRINK_MS = 4_000;

/** Maximum number of characters of a line in the output. */
const MAX_SHOWN = 240;

interface FoundLine extends Finding {
  readonly typed: FuzzLine;
  readonly preset: SimFaultPreset | undefined;
  readonly result: string;
}

/** Lines of one command, or a line of the user. */
interface Target {
  readonly name: string;
  readonly lines: Arbitrary<FuzzLine>;
}

interface FuzzFlags {
  readonly faults?: string;
  readonly seed?: string;
  readonly json?: boolean;
}

/** Searches lines that a bot handles wrongly, prints the simplest line of each bug, and resolves with the exit code. */
export async function fuzzBot(
  typed: readonly string[],
  { faults, seed: given, json = false }: FuzzFlags,
  io: Io,
  load = () => import('fast-check'),
): Promise<number> {
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
  let trial = await raceAbort(openTrial(io, watch, seed), io.interrupt);
  let lines = 0;
  const refused = new Set<string>();

  async function search({ name, lines: arbitrary }: Target, preset?: SimFaultPreset) {
    const known: FoundLine[] = [];
    const passed = new Set<string>();
    const isKnown = ({ key }: Finding): boolean => known.some((each) => each.key === key);
    for (let left = preset ? LINES_WITH_FAULTS : LINES; left > 0;) {
      let found: FoundLine | undefined;
      let shrinkUntilMs = Infinity;
      const property = fc.asyncProperty(arbitrary, async (line) => {
        const id = preset ? `${line.chance} ${line.line}` : line.line;
        if (systemClock.monotonic() > shrinkUntilMs || passed.has(id)) return true;
        lines += 1;
        const { finding, result } = await trial.try(line, preset);
        if (result !== 'input') refused.delete(name);
        if (!finding || isKnown(finding)) passed.add(id);
        if (passed.has(id) || !finding || (found && found.key !== finding.key)) return true;
        found = { ...finding, typed: line, preset, result };
        shrinkUntilMs = Math.min(shrinkUntilMs, systemClock.monotonic() + SHRINK_MS);
        return false;
      });
      const options = { seed: seed + known.length, numRuns: left };
      const { numRuns, errorInstance } = await fc.check(property, options);
      // The property itself throws nothing of the bot.
      if (!found && errorInstance) throw toError(errorInstance);
      if (!found) break;
      known.push(found);
      // Each line that hangs takes seconds.
      left = found.result === 'hangs' ? 0 : left - numRuns;
    }
    return known;
  }

  /** Returns whether a fresh bot does not repeat a finding. */
  async function isUnstable({ typed: line, preset, key }: FoundLine): Promise<boolean> {
    await trial.close();
    trial = await openTrial(io, watch, seed);
    return (await trial.try(line, preset)).finding?.key !== key;
  }

  const findings: (FoundLine & { readonly unstable: boolean })[] = [];
  const colors = createColors(io.color);
  const say = (text: string): void => void (json || io.stdout.write(`${text}\n`));

  async function searchAll(): Promise<void> {
    const presets = faults === undefined ? [undefined] : await presetsOf(faults, trial, io);
    const targets = typed.length > 0 ? typed.map(toTarget) : targetsOf(trial);
    for (const { name } of targets) refused.add(name);
    for (const preset of presets) {
      for (const target of targets) {
        for (const found of await search(target, preset)) {
          const unstable = await isUnstable(found);
          findings.push({ ...found, unstable });
          const mark = unstable ? colors.yellow('? unstable:') : colors.red('✗');
          say(`${mark} ${shown(found)}${found.place ? `  ${colors.dim(found.place)}` : ''}`);
        }
      }
    }
  }

  const toTarget = (line: string): Target => {
    const lines = fc.nat(999).map((chance) => ({ line, values: {}, chance }));
    return { name: line.split(/\s/)[0] ?? '', lines };
  };

  function targetsOf({ bot, commands, prefix }: Trial): readonly Target[] {
    const { url } = bot.platform.upload({ name: 'sample.txt', data: 'sample' });
    const linesOf = createLineArbitrary(fc, url);
    return commands.map((command) => {
      const { name, messages } = command;
      const marks = messages === 'only' ? [prefix] : messages ? ['/', prefix] : ['/'];
      return { name: marks[0] + name, lines: linesOf(command, marks) };
    });
  }

  await raceAbort(searchAll(), io.interrupt);
  await trial.close();
  const free = [...watch.calls].map(([place, count]) => `${count} ${place}`);
  if (json) {
    const list = findings.map(({ typed: { line }, preset, what, place, unstable }) => {
      const text = io.redact(what);
      return { line, faults: preset?.name, what: text, place, unstable };
    });
    const skipped = [...refused];
    io.stdout.write(`${JSON.stringify({ v: 1, seed, lines, findings: list, skipped, free })}\n`);
  }
  const [example] = refused;
  if (example)
    say(
      `Skipped (no valid options): ${[...refused].join(', ')}. Pass a line of your own, as in virgule fuzz "${example} OPTIONS".`,
    );
  const counts = [countOf(findings.length, 'finding'), countOf(lines, 'line'), `seed ${seed}`];
  const uncontrolled = free.length > 0 ? `; not under control: ${free.join(', ')}` : '';
  say(counts.join(', ') + uncontrolled);
  return findings.every(({ unstable }) => unstable) ? 0 : 1;

  function shown({ typed: { line }, what }: FoundLine): string {
    return [line, io.redact(what)]
      .map((text) => showOnOneLine(cutMiddle(text, MAX_SHOWN)))
      .join('  ');
  }
}

/** Returns all kinds of faults, the named one, or the one of a file. */
async function presetsOf(
  name: string,
  { bot }: Pick<Trial, 'bot'>,
  io: Io,
): Promise<readonly SimFaultPreset[]> {
  const { presets } = bot.platform.faults;
  const named = presets.filter((preset) => name === 'all' || preset.name === name);
  if (named.length > 0) return named;
  const want = `${presets.map((preset) => `"${preset.name}"`).join(', ')} or a file such as faults.json`;
  if (!name.endsWith('.json')) throw invalidFlag('faults', want, name);
  const { rules } = await readFaultsFile(name, io.cwd);
  return [{ name, does: '', expected: '', rules }];
}
