import type { GatewayEvent } from '@virgule/client/gateway';
import type { Clock, Timer } from '@virgule/core/clock';
import { interactionOf } from '../interaction-of.js';

export interface HeldCommandsOptions {
  readonly clock: Clock;
  /** Shows the thinking state of an interaction. */
  readonly defer: (interactionId: string) => Promise<void>;
  /** Whether the platform has received no call for it yet. */
  readonly isUntouched: (interactionId: string) => boolean;
  /** The platform shows it now. A process that had the command after all does not know. */
  readonly onDeferred: (interactionId: string) => void;
}

/**
 * Shows users that their command is not lost while no process can take it, or the one that has it does not respond.
 */
export interface HeldCommands {
  /** Holds an event that no process has now, or whose process is gone or silent. */
  hold(event: GatewayEvent): void;
  /** Releases an event that a process has now, or will never have. */
  release(event: GatewayEvent): void;
  /** Returns whether the thinking state of its interaction was shown from here. */
  wasDeferred(interactionId: string): boolean;
  close(): void;
}

/** A command is deferred this many milliseconds after it came, as the bot itself would do. */
const DEFER_MS = 1_500;
/** How many are remembered. */
const MAX_DEFERRED = 1_000;

export function createHeldCommands(options: HeldCommandsOptions): HeldCommands {
  const { clock, defer, isUntouched, onDeferred } = options;
  const timers = new Map<string, Timer>();
  const deferred = new Set<string>();

  function late(interactionId: string): void {
    timers.delete(interactionId);
    if (!isUntouched(interactionId)) return;
    deferred.add(interactionId);
    const [oldest] = deferred;
    if (deferred.size > MAX_DEFERRED && oldest !== undefined) deferred.delete(oldest);
    // Nothing waits for it here; the window shows whether it succeeded.
    defer(interactionId).then(
      () => onDeferred(interactionId),
      () => {},
    );
  }

  return {
    hold(event) {
      const id = interactionOf(event);
      if (id === undefined || timers.has(id) || deferred.has(id)) return;
      const dueMs = event.receivedAtMs + DEFER_MS - clock.monotonic();
      timers.set(
        id,
        clock.setTimeout(() => late(id), dueMs),
      );
    },
    release(event) {
      const id = interactionOf(event) ?? '';
      timers.get(id)?.cancel();
      timers.delete(id);
    },
    wasDeferred: (id) => deferred.has(id),
    close() {
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
    },
  };
}
