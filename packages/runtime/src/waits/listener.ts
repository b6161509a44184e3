import type { CommandRun } from '../bot/command-run.js';
import { durationMs, type Duration } from '../define/duration.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { intentOf, type AwaitedEvent, type Wait, type WaitRequest } from './waits.js';

export interface ListenerOptions {
  /** The call that waits, as its author wrote it: `confirm()`. */
  readonly call: string;
  readonly events: readonly AwaitedEvent[];
  /** JavaScript may pass anything, against the types. */
  readonly within: Duration;
  /** A reading of `Waits.mark`: reactions count from there on. @defaultValue from now on */
  readonly since?: number | undefined;
  /** @defaultValue the channel of the command */
  readonly channelId?: string | undefined;
}

/** Listens to some events, for one call of a command. */
export interface Listener {
  listen(options: Pick<WaitRequest, 'onEvent' | 'onEnd'>): Wait;
}

/**
 * Creates a listener after all checks that need nothing to be written or waited for. Reactions count from
 * here on, however much later `listen` is called, or from `since`.
 *
 * @throws VirguleError `E_INTENT_MISSING` when the command does not declare the intent that brings
 *   the events, `E_DURATION` if `within` is not a duration.
 */
export function createListener(
  { call, events, within, since, channelId }: ListenerOptions,
  { command, env, event, signal }: CommandRun,
): Listener {
  const { name: commandName, file, intents } = command;
  const missing = events.map(intentOf).find((intent) => !intents.includes(intent));
  if (missing) throw runtimeErrors.E_INTENT_MISSING({ call, commandName, file, intent: missing });
  const withinMs = durationMs(within);
  if (withinMs === undefined) throw runtimeErrors.E_DURATION({ saw: String(within) });
  const request = {
    call,
    commandName,
    channelId: channelId ?? event.channelId,
    events,
    withinMs,
    signal,
    since: since ?? env.waits.mark,
  };
  return { listen: (options) => env.waits.open({ ...options, ...request }) };
}
