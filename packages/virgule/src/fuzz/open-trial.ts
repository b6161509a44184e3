import { createFakeClock, settlesWithin, systemClock, turn } from '@virgule/core/clock';
import { errorText, isVirguleError, namedErrorText } from '@virgule/core/errors';
import { silentLog } from '@virgule/core/log';
import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { assignWords, splitWords } from '@virgule/core/raw-input';
import { resolveMentions, type SimFaultPreset } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import { memory, type StorageDriver } from '@virgule/runtime';
import { commandNamed } from '@virgule/runtime/project';
import type { Io } from '../terminal/io.js';
import { errorIn } from '../testing/activity-records.js';
import { openBot } from '../testing/open-bot.js';
import { createRandom } from '../testing/run-conversation.js';
import type { TestRun } from '../testing/test-bot.js';
import { SAMPLE } from './line-arbitrary.js';
import { placeOf } from './watch-process.js';

export interface Finding {
  readonly what: string;
  /** Place in the files of the bot, such as `commands/roll.ts:12`; `undefined` if unknown. */
  readonly place: string | undefined;
  /** Identity of the bug: other lines that find it have the same. */
  readonly key: string;
}

/** Longest step of the clock of the bot in milliseconds, and its time for a reconnect. */
const MAX_STEP_MS = 15_000;
const CONNECT_TIME = '5m';

/** Real time in milliseconds after which a line hangs, and after which the clock moves on under faults. */
const LIMIT_MS = 3_000;
const BUSY_MS = 10;

/** Maximum step of the clock to the end of a cooldown, in minutes: about two years. */
const MAX_MINUTES = 4 ** 10;

/** An error outside the handler: its description and the error. */
export type Noted = readonly [what: string, error: unknown];

/** Warnings of the runtime about an answer that no user sees. */
const UNSEEN = /ended without an answer|neither called next|was not sent/;

/** Starts the bot of the folder in memory, with `.env.test` and a clock that moves when every handler waits. */
export async function openTrial(io: Io, seed: number, noted: Noted[]) {
  const note = (details: object, message: string): void =>
    void noted.push([`logs ${JSON.stringify(message)}`, errorIn(details)]);
  let random = createRandom(seed + 1);
  /** Storage of the process and of the next one; `undefined` before its first use. */
  let storage: StorageDriver | undefined;
  const bot = await openBot(io, {
    mode: 'test',
    storage: { ...memory(), open: async (options) => (storage ??= await memory().open(options)) },
    clock: createFakeClock(),
    random: () => random(),
    limit: `${LIMIT_MS}ms`,
    log: {
      ...silentLog,
      warn: (details, message) => void (UNSEEN.test(message) && note(details, message)),
      error: note,
    },
  });
  const { platform } = bot;
  const { botUserId } = platform.snapshot().bot;
  /** Ids of the answers to this line. Tasks of earlier lines write and edit other messages. */
  const written = new Set<string>();
  platform.on((event) => {
    if (event.type !== 'message' || !event.isNew || event.message.authorId !== botUserId) return;
    if (event.message.interactionId ?? event.message.replyTo) written.add(event.message.id);
  });

  /** Returns a line as the platform gets it: mentions are longer than names. */
  const sent = (line: string): string => resolveMentions(line, platform.snapshot());
  /** Returns whether the platform takes a line. Longer lines are called by code. */
  const isTyped = (line: string): boolean => sent(line).length <= CONTENT_MAX_LENGTH;

  /** Calls a command by code, with the values of a line that is too long for the platform. */
  function call(line: string): Promise<TestRun> {
    const [start = '', name = ''] = /^\W*(\S*)/.exec(line) ?? [];
    const { options } = commandNamed(bot.project.commands, name)?.spec ?? { options: [] };
    const { values } = assignWords(line, start.length, options);
    const given = options.map(({ key, item }, index) => {
      const typed = values[index]?.typed;
      return [key, item && typed !== undefined ? splitWords(String(typed)) : typed] as const;
    });
    return bot.run(name, Object.fromEntries(given), { via: 'code' });
  }

  /** Advances the clock whenever every handler waits, until the line has ended. @throws VirguleError `E_TEST_LIMIT`. */
  async function run(typed: string): Promise<TestRun> {
    const upload = (): string => platform.upload({ name: 'sample.txt', data: 'sample' }).url;
    const line = typed.replaceAll(SAMPLE, upload);
    const running = isTyped(line) ? bot.run(line) : call(sent(line));
    let hasEnded = false;
    const over = running.catch(() => {}).then(() => (hasEnded = true));
    await Promise.race([over, turn()]);
    // An upload is work, but faults may delay it.
    const workMs = platform.faults.rules.length > 0 ? BUSY_MS : LIMIT_MS;
    for (let stepMs = 250; !hasEnded; stepMs = Math.min(stepMs * 2, MAX_STEP_MS)) {
      await settlesWithin(Promise.race([over, bot.idle()]), workMs, systemClock);
      if (!hasEnded) await bot.clock.advance(`${stepMs}ms`);
    }
    return running;
  }

  /** Runs a line, and returns what is wrong with its outcome. @param chance - seed of the random numbers */
  async function outcomeOf(line: string, chance: number) {
    let ran: TestRun | void;
    // A long first step would run a task that repeats hundreds of times.
    for (let minutes = 1; ; minutes *= 4) {
      random = createRandom(chance);
      noted.length = 0;
      written.clear();
      ran = await run(line).catch((error: unknown) => {
        if (!isVirguleError(error, 'E_TEST_LIMIT')) throw error;
      });
      // Node.js reports unhandled rejections after the turn.
      await turn();
      if (ran?.result !== 'cooldown' || minutes >= MAX_MINUTES) break;
      await bot.clock.advance(`${minutes}m`);
    }
    if (!ran) await bot.restart({ kill: true });
    const messages = [...written].flatMap((id) => platform.message(id) ?? []);
    const shown = messages.filter(({ content, isDeleted }) => content !== '' && !isDeleted);
    const files = messages.flatMap(({ attachments }) => attachments);
    const withFiles = files.length > 0 ? ` and ${countOf(files.length, 'file')}` : '';
    return {
      finding: findingIn(ran, line),
      /** Result of the run; `hangs` if it does not end in real time. */
      result: ran?.result ?? 'hangs',
      /** `true` if the run used random numbers: the same line may end in another way. */
      isRandom: random() !== createRandom(chance)(),
      /** State of the command and number of messages and files, in words. */
      seen: `${ran?.state ?? 'open'} with ${countOf(shown.length, 'message')}${withFiles}`,
    };
  }

  function findingIn(ran: TestRun | void, line: string): Finding | undefined {
    if (!ran) return finding('does not end within 3 s');
    if (ran.result === 'timed-out') return finding('does not end before its timeout');
    if (ran.result === 'expired') return finding('is not answered in time');
    // Code gets the refusal of an answer that is too long as an error.
    if (ran.result === 'failed' && !isTyped(line) && isVirguleError(ran.error)) return undefined;
    if (ran.result === 'failed') return finding(thrownText(ran.error), ran.error);
    if (noted[0]) return finding(...noted[0]);
    const isEmpty = ran.files.length === 0 && ran.replies.some((reply) => reply.trim() === '');
    return isEmpty ? finding('answers with an empty message') : undefined;
  }

  function finding(what: string, error?: unknown): Finding {
    const place = placeOf(io.cwd, error);
    const kind = error instanceof Error ? error.name : errorText(error);
    const key = place ? `${kind} ${place}` : what.replaceAll(/\d+ \w+|"[^]*"/g, '');
    return { what, place, key };
  }

  /** Runs a line. With faults, compares its outcome under them, and after them, with the outcome without faults. */
  async function tryLine(line: string, chance: number, preset?: SimFaultPreset) {
    const usual = await outcomeOf(line, chance);
    if (!preset) return usual;
    // A run without faults finds this bug.
    if (usual.finding) return { ...usual, finding: undefined };
    const { name, rules, mayExpire = 0 } = preset;
    platform.setFaults({ seed: String(chance), rules });
    const breaksConnection = rules.some(({ on }) => 'frame' in on && on.frame === 'HEARTBEAT_ACK');
    if (breaksConnection) await bot.clock.advance(CONNECT_TIME);
    const { seen } = await outcomeOf(line, chance);
    platform.setFaults({ rules: [] });
    if (!platform.snapshot().bot.connected) await bot.clock.advance(CONNECT_TIME);
    const after = await outcomeOf(line, chance);
    const isExpected = seen === usual.seen || (seen.startsWith('expired') && mayExpire > 0);
    const [other, when] = isExpected ? [after.seen, 'after'] : [seen, 'with'];
    if (other === usual.seen) return usual;
    const what = `ends ${other} instead of ${usual.seen}, ${when} "${name}"`;
    return { ...usual, finding: finding(what) };
  }

  /** Starts a new process with an empty storage; without entries, only if `always`. */
  async function forget(always = false): Promise<void> {
    const entries = await storage?.list({ prefix: '', limit: 1 });
    if (!always && !entries?.length) return;
    storage = undefined;
    await bot.restart();
  }

  return { bot, tryLine, forget };
}

/** Returns the error of a handler as the end of a sentence; errors of Virgule are sentences themselves. */
const thrownText = (error: unknown): string =>
  isVirguleError(error) ? `fails: ${error.message}` : `throws ${namedErrorText(error)}`;
