import { relative } from 'node:path';
import { createFakeClock, settlesWithin, systemClock, turn } from '@virgule/core/clock';
import { errorText, isVirguleError, namedErrorText } from '@virgule/core/errors';
import { silentLog } from '@virgule/core/log';
import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import type { SimFaultPreset } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import { thrownAt } from '../loader/stack-traces.js';
import type { Io } from '../terminal/io.js';
import { errorIn, type LoggedLine } from '../testing/activity-records.js';
import { openBot } from '../testing/open-bot.js';
import { createRandom } from '../testing/run-conversation.js';
import type { TestRun } from '../testing/test-bot.js';
import { SAMPLE, type FuzzLine } from './line-arbitrary.js';
import type { ProcessWatch } from './watch-process.js';

export type Trial = Awaited<ReturnType<typeof openTrial>>;

export interface Finding {
  readonly what: string;
  /** Place in the files of the bot, such as `commands/roll.ts:12`; `undefined` if unknown. */
  readonly place: string | undefined;
  /** Identity of the bug: other lines that find it have the same. */
  readonly key: string;
}

interface Outcome {
  readonly finding: Finding | undefined;
  /** Result of the run; `hangs` if it does not end in real time. */
  readonly result: string;
  /** `true` if the run used random numbers: the same line may end in another way. */
  readonly isRandom: boolean;
  /** State of the command and number of messages and files, in words. */
  readonly seen: string;
}

/** Longest step of the clock of the bot, and longest wait for a reconnect, in milliseconds. */
const MAX_STEP_MS = 15_000;
const CONNECT_MS = 300_000;

/** Real time after which the clock moves on under faults, in milliseconds. */
const BUSY_MS = 10;

/** Warnings of the runtime about an answer that no user sees. */
const UNSEEN = /ended without an answer|was not sent/;

/** Starts the bot of the folder in memory, with `.env.test` and a clock that moves when every handler waits. */
export async function openTrial(
  io: Io,
  { unhandled }: Pick<ProcessWatch, 'unhandled'>,
  seed: number,
) {
  const logged: LoggedLine[] = [];
  const note = (details: object, message: string): void => {
    logged.push({ message, error: errorIn(details) });
  };
  let random = createRandom(seed + 1);
  const bot = await openBot(io, {
    mode: 'test',
    clock: createFakeClock(),
    random: () => random(),
    limit: '3s',
    log: {
      ...silentLog,
      warn: (details, message) => void (UNSEEN.test(message) && note(details, message)),
      error: note,
    },
  });
  const { platform } = bot;
  const { botUserId } = platform.snapshot().bot;
  const known = new Set<string>();
  /** Ids of the answers to this line. Tasks of earlier lines write and edit other messages. */
  const written = new Set<string>();
  platform.on((event) => {
    if (event.type !== 'message' || event.message.authorId !== botUserId) return;
    const { id, interactionId, replyTo } = event.message;
    if (!known.has(id) && (interactionId ?? replyTo)) written.add(id);
    known.add(id);
  });

  function withFile(typed: FuzzLine): FuzzLine {
    const { url } = platform.upload({ name: 'sample.txt', data: 'sample' });
    return JSON.parse(JSON.stringify(typed).replaceAll(SAMPLE, url)) as FuzzLine;
  }

  /** Advances the clock whenever every handler waits, until the line has ended. @throws VirguleError `E_TEST_LIMIT`. */
  async function run(typed: FuzzLine): Promise<TestRun> {
    const { line, values } = typed.line.includes(SAMPLE) ? withFile(typed) : typed;
    const [, name = ''] = /^\W*(\S*)/.exec(line) ?? [];
    const running = isTyped({ line }) ? bot.run(line) : bot.run(name, values, { via: 'code' });
    let hasEnded = false;
    const over = running.catch(() => {}).then(() => (hasEnded = true));
    await Promise.race([over, turn()]);
    for (let stepMs = 250; !hasEnded; stepMs = Math.min(stepMs * 2, MAX_STEP_MS)) {
      const idle = Promise.race([over, bot.idle()]);
      // An upload is work, but faults may delay it.
      if (platform.faults.rules.length > 0) await settlesWithin(idle, BUSY_MS, systemClock);
      else await idle;
      if (!hasEnded) await bot.clock.advance(`${stepMs}ms`);
    }
    return running;
  }

  async function outcomeOf(typed: FuzzLine): Promise<Outcome> {
    const outcome = await outcomeNow(typed);
    if (outcome.result !== 'cooldown') return outcome;
    await bot.clock.advance('1d');
    return outcomeNow(typed);
  }

  async function outcomeNow(typed: FuzzLine): Promise<Outcome> {
    // A line has the same random numbers whenever it runs. Generators with close seeds begin with close numbers.
    const start = 1 + (((seed + 1) * (typed.chance + 1) * 48_271) % (2 ** 31 - 2));
    random = createRandom(start);
    logged.length = 0;
    unhandled.length = 0;
    written.clear();
    const ran = await run(typed).catch((error: unknown) => {
      if (!isVirguleError(error, 'E_TEST_LIMIT')) throw error;
    });
    // Node.js reports unhandled rejections after the turn.
    await turn();
    if (!ran) await bot.restart({ kill: true });
    const messages = [...written].flatMap((id) => platform.message(id) ?? []);
    const shown = messages.filter(({ content, isDeleted }) => content !== '' && !isDeleted);
    const files = messages.flatMap(({ attachments }) => attachments);
    const counts = [countOf(shown.length, 'message'), countOf(files.length, 'file')];
    return {
      finding: findingIn(ran, typed),
      result: ran?.result ?? 'hangs',
      isRandom: random() !== createRandom(start)(),
      seen: `${ran?.state ?? 'open'} with ${counts.slice(0, files.length > 0 ? 2 : 1).join(' and ')}`,
    };
  }

  function findingIn(ran: TestRun | void, typed: FuzzLine): Finding | undefined {
    const [first] = logged;
    if (!ran) return finding('does not end within 3 s');
    if (ran.result === 'timed-out') return finding('does not end before its timeout');
    // Code gets the refusal of an answer that is too long as an error.
    const isRefusal = !isTyped(typed) && isVirguleError(ran.error);
    if (ran.result === 'failed')
      return isRefusal ? undefined : finding(thrownText(ran.error), ran.error);
    if (ran.result === 'expired') return finding('is not answered in time');
    if (unhandled.length > 0)
      return finding(`leaves an error unhandled: ${namedErrorText(unhandled[0])}`, unhandled[0]);
    if (first) return finding(`logs ${JSON.stringify(first.message)}`, first.error);
    const isEmpty = ran.files.length === 0 && ran.replies.some((reply) => reply.trim() === '');
    return isEmpty ? finding('answers with an empty message') : undefined;
  }

  function finding(what: string, error?: unknown): Finding {
    const thrown = thrownAt(error);
    const place = thrown && `${relative(io.cwd, thrown.file)}:${thrown.line}`;
    const kind = error instanceof Error ? error.name : errorText(error);
    return { what, place, key: place ? `${kind} ${place}` : what.replaceAll(/\d+|"[^]*"/g, '') };
  }

  /** Returns a condition after it holds, or after the clock has advanced for `CONNECT_MS`. */
  async function until(holds: () => boolean): Promise<boolean> {
    for (let ms = 0; !holds() && ms < CONNECT_MS; ms += MAX_STEP_MS)
      await bot.clock.advance(`${MAX_STEP_MS}ms`);
    return holds();
  }

  const isConnected = (): boolean => platform.snapshot().bot.connected;

  /** Compares a line under faults, and after them, with the same line without faults. */
  async function tryFaults(
    typed: FuzzLine,
    { name, rules, mayExpire = 0, disconnects = false }: SimFaultPreset,
  ): Promise<Outcome> {
    const usual = await outcomeOf(typed);
    // Without faults, this bug is found by a run without faults.
    if (usual.finding) return { ...usual, finding: undefined };
    const { identifies } = platform.counts;
    platform.setFaults({ seed: `${seed} ${typed.chance}`, rules });
    const hasReconnected = (): boolean =>
      isConnected() &&
      platform.counts.identifies > identifies &&
      platform.faults.rules.every(({ hits, times = 1 }) => hits >= times);
    const isLost = disconnects && !(await until(hasReconnected));
    const { seen } = await outcomeOf(typed);
    platform.setFaults({ rules: [] });
    await until(isConnected);
    const after = await outcomeOf(typed);
    const isExpected = seen === usual.seen || (seen.startsWith('expired') && mayExpire > 0);
    const difference = isExpected
      ? after.seen !== usual.seen && `ends ${after.seen} instead of ${usual.seen}, after`
      : `ends ${seen} instead of ${usual.seen}, with`;
    const what = isLost ? 'runs in a bot that does not connect again, with' : difference;
    return { ...usual, finding: what ? finding(`${what} "${name}"`) : undefined };
  }

  return {
    bot,
    /** Runs a line, and returns what is wrong with its outcome. */
    try: (typed: FuzzLine, preset?: SimFaultPreset): Promise<Outcome> =>
      preset ? tryFaults(typed, preset) : outcomeOf(typed),
  };
}

/** Returns whether the platform takes a line. Longer lines are called by code. */
const isTyped = ({ line }: Pick<FuzzLine, 'line'>): boolean => line.length <= CONTENT_MAX_LENGTH;

/** Returns the error of a handler as the end of a sentence; errors of Virgule are sentences themselves. */
const thrownText = (error: unknown): string =>
  isVirguleError(error) ? `fails: ${error.message}` : `throws ${namedErrorText(error)}`;
