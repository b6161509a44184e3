import { raceAbort } from '@virgule/core/abort';
import { settlesWithin, systemClock, type Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';
import { PAGE_DEFAULTS, type Message, type MessagePage } from '@virgule/core/protocol';
import { clientErrors, type ReconcileFinding } from '../errors/client-errors.js';
import {
  isAborted,
  isOutcomeUnknown,
  isShuttingDown,
  type ClientError,
} from '../errors/error-guards.js';
import type { Rest } from './create-rest.js';
import type { MessageBody } from './calls.js';
import type { CallOptions } from '../request/call.js';

/** Options of `sendReconciled`. */
export interface SendReconciledOptions extends CallOptions {
  /** Time for everything together, in milliseconds. @defaultValue 30_000, or 300_000 with files */
  readonly deadlineMs?: number | undefined;
  /** A message that is older than the sent one, such as the message that it answers. @defaultValue read from the channel */
  readonly since?: Pick<Message, 'id' | 'createdAt'> | undefined;
  /** @defaultValue the clock of this machine */
  readonly clock?: Clock | undefined;
}

const DEADLINE_MS = { plain: 30_000, withFiles: 300_000 };

/** Time to read the newest messages before sending. Without them the message is sent as well. */
const MAX_MARK_MS = 3_000;

/** Pauses before the readings of the channel, in milliseconds. The platform may work on a message until the last. */
const READ_AFTER_MS = [0, 1_000, 4_000];

/** The maximum number of messages that are read: in a busier channel it cannot be found in time. */
const MAX_MESSAGES = 250;

/** Assumed maximum difference between the clocks of the platform's machines, in milliseconds. */
const SKEW_MS = 5_000;

/** Statuses after which the platform may still work; Cloudflare uses 524. */
const PROXY_TIMEOUTS: ReadonlySet<number> = new Set([504, 524]);

/** Maximum number of texts whose latest sending is remembered for each client. */
const MAX_TEXTS = 256;

/** Latest sendings of each client, by channel and text: the id of the latest message when they end, or '' if it is unknown. */
const sendingsOf = new WeakMap<Rest, LruMap<Promise<string | undefined>>>();

/** State of the channel before the sending. */
type Mark = ReturnType<typeof markOf>;

type Finding = Message | 'absent' | ReconcileFinding;

/**
 * Sends a message, and finds out whether it arrived when no response says so: the channel is read back to the
 * messages that were the newest before, up to 5 s later. A new message of the bot with the same text is returned; if
 * there is certainly none, it is sent once more. Calls with the same text and channel take turns.
 *
 * A message is recognized by its text: one with the same text that is sent to the channel at the same time in
 * another way, such as by another process, can be mistaken for it. A message that the channel does not show within 5 s,
 * such as because of a cache, is sent twice. A message with the text that was edited, or is no reply as the sent one is, leaves
 * the outcome unknown. Files are uploaded once.
 *
 * @returns the message, or `undefined` when the platform responds without one (not shown).
 * @throws VirguleError as `rest.messages.send`; `E_OUTCOME_UNKNOWN` has `details.reconciled`, and `repeatIsHarmless` if the channel
 * shows that neither sending arrived.
 *
 * @example
 * ```ts
 * await sendReconciled(rest, channelId, { content: 'Version 2 is released.' });
 * ```
 */
export async function sendReconciled(
  rest: Rest,
  channelId: string,
  body: MessageBody,
  options: SendReconciledOptions = {},
): Promise<Message | undefined> {
  const { clock = systemClock } = options;
  // For a missing body, `messages.send` throws the error.
  const { files, ...message } = Object(body) as MessageBody;
  const { deadlineMs = DEADLINE_MS[files ? 'withFiles' : 'plain'] } = options;
  const untilMs = clock.monotonic() + deadlineMs;
  let { attachments } = message;
  if (files) {
    const { clock: _, since: _since, ...uploading } = { ...options, deadlineMs };
    attachments = [
      ...(attachments ?? []),
      ...(await rest.attachments.uploadAll(channelId, files, uploading)),
    ];
  }
  const sendings = sendingsOf.get(rest) ?? new LruMap(MAX_TEXTS);
  sendingsOf.set(rest, sendings);
  const key = `${channelId} ${normal(message.content)}`;
  const earlier = sendings.get(key);
  const sending = sendAfter(
    earlier,
    rest,
    channelId,
    { ...message, attachments },
    { ...options, untilMs },
  );
  const ended = sending.then(
    (sent) => sent?.id ?? '',
    (error: unknown) => (isOutcomeUnknown(error) || isAborted(error) ? '' : earlier),
  );
  sendings.set(key, ended);
  return sending;
}

/** Sends a message when an earlier sending of its text has ended: messages are recognized by their text. */
async function sendAfter(
  earlier: Promise<string | undefined> | undefined,
  rest: Rest,
  channelId: string,
  message: MessageBody,
  {
    clock = systemClock,
    since,
    untilMs,
    signal,
    priority,
    onRetry,
  }: Omit<SendReconciledOptions, 'deadlineMs'> & { readonly untilMs: number },
): Promise<Message | undefined> {
  const leftMs = (): number => Math.max(0, untilMs - clock.monotonic());
  let earlierId: string | undefined;
  void earlier?.then((id) => (earlierId = id));
  // After an abort or the deadline, the sending itself fails.
  if (earlier) await settlesWithin(signal ? raceAbort(earlier, signal) : earlier, leftMs(), clock);

  const markMs = Math.min(MAX_MARK_MS, leftMs() / 2);
  const mark =
    (since && earlierId !== '' && markBefore(since, earlierId)) ||
    (await rest.messages
      .list(channelId, {}, { signal, priority, deadlineMs: markMs })
      .then(markOf)
      .catch(() => undefined));
  /** Each request ends within the time that is left. */
  const reading = {
    signal,
    priority,
    get deadlineMs() {
      return leftMs();
    },
  };

  /** Reads the channel until the message is found, or the last reading is done. */
  async function look(before: Mark): Promise<Finding> {
    let finding: Finding = 'unread';
    for (const pauseMs of READ_AFTER_MS) {
      // Without time for the last reading, an absent message may still appear.
      if (pauseMs >= leftMs()) return finding === 'absent' ? 'missing' : finding;
      try {
        if (pauseMs > 0) await clock.sleep(pauseMs, { signal });
        const { botUserId } = await rest.users.me(reading);
        const isAlike = ({ authorId, content }: Message): boolean =>
          isSameUser(authorId, botUserId) && normal(content) === normal(message.content);
        // The message of another call may have the same text by an edit, or as no reply.
        const isOwn = ({ createdAt, editedAt, replyTo }: Message): boolean =>
          (!editedAt || editedAt === createdAt) && (!message.replyToMessageId || replyTo !== null);
        finding = await find(before, isAlike, isOwn, rest.messages.history(channelId, reading));
        if (typeof finding === 'object') return finding;
      } catch (error) {
        finding = 'unread';
        if (signal?.aborted || isShuttingDown(error)) return finding;
      }
    }
    return finding;
  }

  for (let isAgain = false; ; isAgain = true) {
    let unknown: ClientError<'E_OUTCOME_UNKNOWN'>;
    try {
      const sending = { signal, priority, onRetry, deadlineMs: leftMs() };
      return await rest.messages.send(channelId, message, sending);
    } catch (error) {
      if (!isOutcomeUnknown(error)) throw error;
      unknown = error;
    }
    const finding = mark ? await look(mark) : 'unread';
    if (typeof finding === 'object') return finding;
    const { details, cause } = unknown;
    if (signal?.aborted) {
      const aborted = { ...details, phase: 'waiting', maybeSent: true } as const;
      throw clientErrors.E_ABORTED(aborted, { cause: signal.reason });
    }
    const repeatIsHarmless = finding === 'absent' && isSettled(unknown);
    if (isAgain || !repeatIsHarmless) {
      const reconciled = finding === 'absent' ? 'missing' : finding;
      throw clientErrors.E_OUTCOME_UNKNOWN({ ...details, reconciled, repeatIsHarmless }, { cause });
    }
    // An error of `onRetry` does not concern the message.
    void (async () => onRetry?.())().catch(() => {});
  }
}

/** Returns the mark of one or two older messages; `undefined` if the time of the first is unreadable. */
function markBefore(older: Pick<Message, 'id' | 'createdAt'>, otherId = older.id) {
  const sinceMs = Date.parse(older.createdAt) - SKEW_MS;
  const known = new Set([older.id, otherId]);
  return Number.isNaN(sinceMs) ? undefined : { known, sinceMs, endsAtKnown: true };
}

function markOf({ messages, hasMore }: MessagePage) {
  const timesMs = messages.map(timeOf).filter((atMs) => !Number.isNaN(atMs));
  // The newest messages, which were sent before.
  const known = new Set(messages.map(({ id }) => id));
  const isWhole = hasMore === false || timesMs.length === 0;
  // Older messages were sent before, also if the platform's clock was set back since.
  const sinceMs = Math.min(Math.max(...timesMs) - SKEW_MS, Math.min(...timesMs));
  // The messages that follow a known one in the channel's history, which begins with the newest, may be new.
  return { known, sinceMs: isWhole ? Number.NEGATIVE_INFINITY : sinceMs, endsAtKnown: false };
}

/** Searches the newest message of the bot with the text since the mark. After a message that is only alike, none is certainly absent. */
async function find(
  { known, sinceMs, endsAtKnown }: Mark,
  isAlike: (message: Message) => boolean,
  isOwn: (message: Message) => boolean,
  history: AsyncIterable<Message>,
): Promise<Finding> {
  let read = 0;
  let finding: Finding = 'absent';
  for await (const message of history) {
    // A message with an unreadable time may be new.
    if (timeOf(message) < sinceMs) return finding;
    const isKnown = known.has(message.id);
    if (isKnown && endsAtKnown) return finding;
    if (!isKnown && isAlike(message)) {
      if (isOwn(message)) return message;
      finding = 'missing';
    }
    read += 1;
    if (read === MAX_MESSAGES) return 'missing';
    // The newest of a clock that was set back follow known ones.
    if (isKnown && read >= PAGE_DEFAULTS.limit) return finding;
  }
  return finding;
}

/** Returns true if the platform has finished the request. After a timeout, also of a proxy, it may still work on it. */
const isSettled = ({ details, cause }: ClientError<'E_OUTCOME_UNKNOWN'>): boolean =>
  details.status === undefined ? cause !== undefined : !PROXY_TIMEOUTS.has(details.status);

/** The platform may have removed blanks around a text. */
const normal = (text: string): string =>
  String(text).replaceAll('\r\n', '\n').normalize('NFC').trim();

const timeOf = ({ createdAt }: Message): number => Date.parse(createdAt);

/** Returns whether two ids are the same. The platform may write an id in capitals; the form of a message may lack its author. */
const isSameUser = (one: string | undefined, other: string): boolean =>
  one?.toLowerCase() === other.toLowerCase();
