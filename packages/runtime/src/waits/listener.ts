import type { Clock } from '@virgule/core/clock';
import type { Intent } from '@virgule/core/protocol';
import type { MessageInput } from '../define/answer.js';
import { durationMs, type Duration } from '../define/duration.js';
import type { SentMessage } from '../context/sent-message.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { intentOf, type AwaitedEvent, type Wait, type WaitRequest, type Waits } from './waits.js';

/** The parts that the waits of one command or event use. */
export interface WaitTools {
  readonly waits: Waits;
  /** What waits, as errors name it: `/reset`, or the file of an event. */
  readonly owner: string;
  /** Path of its file, for the error that names the line to add. */
  readonly file: string;
  /** The intents that it declares. */
  readonly intents: readonly Intent[];
  readonly channelId: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Shortest time between two edits, in milliseconds. */
  readonly intervalMs: number;
  readonly reply: (input: MessageInput) => Promise<SentMessage>;
}

/** Listens to some events, for one call of a command. */
export interface Listener {
  listen(options: Pick<WaitRequest, 'onEvent' | 'onEnd'>): Wait;
}

/**
 * Creates a listener after all checks that need nothing to be written or waited for. Reactions count from
 * here on, however much later `listen` is called, or from `since`, a reading of `Waits.mark`.
 *
 * @throws VirguleError `E_INTENT_MISSING` when the command does not declare the intent that brings
 *   the events, `E_DURATION` if `within` is not a duration.
 */
export function createListener(
  call: string,
  events: readonly AwaitedEvent[],
  within: Duration,
  { waits, owner, file, intents, channelId, signal }: WaitTools,
  since = waits.mark,
): Listener {
  const missing = events.map(intentOf).find((intent) => !intents.includes(intent));
  if (missing) throw runtimeErrors.E_INTENT_MISSING({ call, owner, file, intent: missing });
  // JavaScript may pass anything, against the types.
  const withinMs = durationMs(within);
  if (withinMs === undefined) throw runtimeErrors.E_DURATION({ saw: String(within) });
  return {
    listen: (options) =>
      waits.open({ ...options, call, owner, channelId, events, withinMs, signal, since }),
  };
}
