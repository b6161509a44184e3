import { settlesWithin, type Clock } from '@virgule/core/clock';
import type { SimFaultPreset, SimInteraction } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import type { TestBot } from '../testing/test-bot.js';

/**
 * Time limits in milliseconds: for answers to all lines, for handlers that still run afterwards, and for a reconnect.
 */
const ANSWER_MS = 20_000;
const QUIET_MS = 2_000;
const CONNECT_MS = 20_000;
const POLL_MS = 20;

export interface ChaosOptions {
  readonly bot: Pick<TestBot, 'platform' | 'idle'>;
  /** Command lines that are typed at once, for each preset. */
  readonly lines: readonly string[];
  readonly presets: readonly SimFaultPreset[];
  readonly seed: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface ChaosScore {
  readonly preset: string;
  /** Expected behavior of a good bot. */
  readonly expected: string;
  /** Number of faults that took effect. */
  readonly hits: number;
  readonly ms: number;
  /** Differences from a run without faults; empty for a passed preset. */
  readonly failures: readonly string[];
}

interface Outcome {
  readonly line: string;
  readonly state: SimInteraction['state'];
  readonly messages: number;
  /** Number of files. They may follow in a separate message if the answer had to be sent again. */
  readonly files: number;
  readonly ms: number;
}

/**
 * Runs every line without faults, and then with the faults of each preset, and compares the messages that users see.
 * Each line needs a final answer and the same number of messages as without faults, regardless of content. Yields
 * each score as soon as it is known.
 */
export async function* runChaos(options: ChaosOptions): AsyncGenerator<ChaosScore, void, void> {
  const { bot, lines, presets, seed, clock, signal } = options;
  const { platform } = bot;

  async function until(isDone: () => boolean, limitMs: number): Promise<boolean> {
    const endMs = clock.monotonic() + limitMs;
    while (!isDone()) {
      if (clock.monotonic() >= endMs) return false;
      await clock.sleep(POLL_MS, { signal });
    }
    return true;
  }

  async function runAll(typed: readonly string[]): Promise<readonly Outcome[]> {
    const startedMs = clock.monotonic();
    const runs = typed.map((line) => ({ line, id: platform.run({ rawInput: line }).id }));
    const tookMs = new Map<string, number>();
    const stateOf = (id: string) => platform.interaction(id)?.state ?? 'expired';
    const isOpen = (state: string) => state === 'waiting' || state === 'deferred';
    await until(() => {
      for (const { id } of runs)
        if (!isOpen(stateOf(id)) && !tookMs.has(id)) tookMs.set(id, clock.monotonic() - startedMs);
      return tookMs.size === runs.length;
    }, ANSWER_MS);
    // A command may wait for its user; every other command has ended by then.
    await settlesWithin(bot.idle(), QUIET_MS, clock);
    const messages = platform.messages();
    return runs.map(({ line, id }) => {
      const own = messages.filter(({ interactionId }) => interactionId === id);
      return {
        line,
        state: stateOf(id),
        ms: tookMs.get(id) ?? ANSWER_MS,
        messages: own.filter(({ content }) => content !== '').length,
        files: own.reduce((sum, { attachments }) => sum + attachments.length, 0),
      };
    });
  }

  const hits = (): number => platform.faults.rules.reduce((sum, rule) => sum + rule.hits, 0);

  const isConnected = (): boolean => platform.snapshot().bot.connected;

  /**
   * Waits until the faults have broken the connection as often as the rules specify, and the bot is connected again.
   */
  async function reconnected(identifies: number): Promise<boolean> {
    const wanted = platform.faults.rules.reduce((sum, { times = 1 }) => sum + times, 0);
    const isAgain = (): boolean => platform.counts.identifies > identifies && isConnected();
    return until(() => hits() >= wanted && isAgain(), CONNECT_MS);
  }

  async function tryPreset(preset: SimFaultPreset, normal: readonly Outcome[]) {
    const { name, expected, rules, mayExpire = 0, disconnects = false } = preset;
    const startedMs = clock.monotonic();
    const { identifies } = platform.counts;
    platform.setFaults({ seed, rules });
    const failures: string[] = [];
    if (disconnects && !(await reconnected(identifies)))
      failures.push(`the bot did not connect again within ${CONNECT_MS / 1_000} s`);
    const outcomes = await runAll(lines);
    failures.push(...differencesOf(outcomes, normal, mayExpire));
    const seen = hits();
    platform.setFaults({ rules: [] });
    await until(isConnected, CONNECT_MS);
    const [quickest] = normal.toSorted((a, b) => a.ms - b.ms);
    const after = quickest ? differencesOf(await runAll([quickest.line]), [quickest], 0) : [];
    failures.push(...after.map((failure) => `afterwards, ${failure}`));
    return { preset: name, expected, hits: seen, ms: clock.monotonic() - startedMs, failures };
  }

  const normal = await runAll(lines);
  for (const preset of presets) yield await tryPreset(preset, normal);
}

/** Returns the differences, as sentences. */
function differencesOf(
  outcomes: readonly Outcome[],
  normal: readonly Outcome[],
  mayExpire: number,
): readonly string[] {
  let expired = 0;
  return outcomes.flatMap(({ line, state, messages, files }, index) => {
    const usual = normal[index];
    if (usual === undefined) return [];
    if (state === usual.state && messages === usual.messages)
      return files === usual.files
        ? []
        : [`${line} sent ${countOf(files, 'file')} instead of ${usual.files}`];
    if (state === 'expired') {
      expired += 1;
      return expired <= mayExpire ? [] : [`${line} expired`];
    }
    if (messages > usual.messages)
      return [`${line} wrote ${countOf(messages, 'message')} instead of ${usual.messages}`];
    return [
      `${line} is ${state} with ${countOf(messages, 'message')}, not ${usual.state} with ${usual.messages}`,
    ];
  });
}
