import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { CreateBotMessageRequest, Message } from '@virgule/core/protocol';
import { linkSignals } from '../request/abort.js';
import { clientErrors } from '../errors/client-errors.js';
import type { ReconcileFinding } from '../errors/error-details.js';
import { isAborted, isOutcomeUnknown, type ClientError } from '../errors/error-guards.js';
import type { ApiCall, ApiRequest } from '../rest/api-call.js';
import type { CallPriority } from '../request/priority.js';
import { findMessage, type Search } from './find-message.js';
import type { Sending, SentLog } from './sent-log.js';

interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: CallPriority | undefined;
  readonly onRetry?: (() => void) | undefined;
  /** When all has to be done: a reading of `Clock.monotonic()`, in milliseconds. */
  readonly dueMs: number;
  /** Whether to look for the message when its fate is unknown. */
  readonly reconcile: boolean;
}

/** Sends a message, never twice blindly. */
export type MessageSender = (
  channelId: string,
  body: CreateBotMessageRequest,
  options: SendOptions,
) => Promise<Message | undefined>;

export interface MessageSenderOptions {
  readonly call: ApiCall;
  readonly request: ApiRequest;
  readonly clock: Clock;
  readonly log: Log;
  readonly sent: SentLog;
  /** Aborted when the client closes. */
  readonly closing: AbortSignal;
}

/**
 * Pauses before each reading of the channel, in milliseconds. A message whose connection broke may
 * still be in flight inside the platform: it counts as absent only after the last of them.
 */
const READ_AFTER_MS = [0, 1_000, 4_000];

type Unknown = ClientError<'E_OUTCOME_UNKNOWN'>;

type Finding = Search | { readonly kind: 'unread' };

export function createMessageSender(options: MessageSenderOptions): MessageSender {
  const { call, request, clock, log, sent, closing } = options;
  let botUserId: string | undefined;

  /** Reads the channel until the message is found or the last reading is done. */
  async function look(
    sending: Sending,
    { signal, priority, dueMs }: SendOptions,
  ): Promise<Finding> {
    let finding: Finding = { kind: 'unread' };
    for (const pauseMs of READ_AFTER_MS) {
      if (clock.monotonic() + pauseMs >= dueMs) return unsure(finding);
      if (pauseMs > 0) await pause(pauseMs, signal);
      if (signal?.aborted || closing.aborted) return { kind: 'unread' };
      finding = await readOnce(sending, { signal, priority }, dueMs);
      if (finding.kind === 'found') return finding;
    }
    return finding;
  }

  async function readOnce(
    sending: Sending,
    options: Pick<SendOptions, 'signal' | 'priority'>,
    dueMs: number,
  ): Promise<Finding> {
    const callOptions = () => ({ ...options, deadlineMs: Math.max(0, dueMs - clock.monotonic()) });
    const parameters = { channelId: sending.channelId };
    try {
      botUserId ??= (await call('users.me', {}, callOptions())).botUserId;
      return await findMessage({
        sending,
        botUserId,
        sent,
        clock,
        readPage: (before) =>
          request('messages.list', { parameters, query: { before } }, callOptions()),
      });
    } catch (error) {
      log.warn({ error: String(error) }, 'the channel could not be read to look for a message');
      return { kind: 'unread' };
    }
  }

  async function pause(pauseMs: number, signal: AbortSignal | undefined): Promise<void> {
    const stop = linkSignals(signal, closing);
    // Rejects when it was ended early, which is looked at afterwards.
    await clock.sleep(pauseMs, { signal: stop.signal }).catch(() => {});
    stop.unlink();
  }

  return async (channelId, body, sendOptions) => {
    const { signal, priority, onRetry, dueMs, reconcile } = sendOptions;
    if (reconcile) sent.watch();
    for (let isAgain = false; ; isAgain = true) {
      const sending = sent.begin(channelId, body.content);
      let unknown: Unknown;
      try {
        const deadlineMs = Math.max(0, dueMs - clock.monotonic());
        const input = { parameters: { channelId }, body };
        const settings = { signal, deadlineMs, priority, onRetry };
        const message = await call('messages.send', input, settings);
        sent.end(sending, message);
        return message;
      } catch (error) {
        if (!isOutcomeUnknown(error) || !reconcile) {
          if (isOutcomeUnknown(error) || isAborted(error)) sent.end(sending, undefined);
          else sent.drop(sending);
          throw error;
        }
        unknown = error;
      }
      const finding = await look(sending, sendOptions);
      if (finding.kind === 'found') return finding.message;
      if (signal?.aborted) {
        sent.end(sending, undefined);
        throw abortedError(unknown, signal.reason);
      }
      if (finding.kind === 'absent' && !isAgain && isSettled(unknown)) {
        sent.drop(sending);
        log.warn({ channelId }, 'a message never arrived, as its channel shows, and is sent again');
        onRetry?.();
        continue;
      }
      sent.end(sending, undefined);
      throw unknownError(unknown, finding.kind === 'absent' ? 'missing' : finding.kind);
    }
  };
}

/** What is not there may still appear when there was no time for the last reading. */
function unsure(finding: Finding): Finding {
  return finding.kind === 'absent' ? { kind: 'missing' } : finding;
}

/**
 * Whether the platform is done with the request: it answered, or the connection broke. Without an
 * answer in time, or when a proxy says so (504), it may still be at work on it, and the message may
 * appear after the last reading.
 */
function isSettled({ details, cause }: Unknown): boolean {
  return details.status === undefined ? cause !== undefined : details.status !== 504;
}

function abortedError({ details }: Unknown, reason: unknown): Error {
  const { endpoint, route, attempts, elapsedMs, requestId } = details;
  return clientErrors.E_ABORTED(
    { endpoint, route, attempts, elapsedMs, requestId, phase: 'waiting', maybeSent: true },
    { cause: reason },
  );
}

function unknownError({ details, cause }: Unknown, reconciled: ReconcileFinding): Error {
  return clientErrors.E_OUTCOME_UNKNOWN({ ...details, reconciled }, { cause });
}
