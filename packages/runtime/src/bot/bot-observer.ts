import type { GatewayPort, GatewayStatus } from '@virgule/client/gateway';
import type { Rest } from '@virgule/client/rest';

/** A command that is about to run. */
export interface CommandStart {
  readonly command: string;
  readonly interactionId: string;
  /** When its frame was received: a reading of `Clock.monotonic()`, in milliseconds. */
  readonly receivedAtMs: number;
}

/** A command that has run. */
export interface CommandRecord {
  readonly command: string;
  readonly interactionId: string;
  /** The state it ended in, such as `answered`. */
  readonly outcome: string;
  /** How its run ended: `ok`, or why not, such as `input`, `cooldown`, `timed-out` or `failed`. */
  readonly result: string;
  /** The error; `undefined` if there was none. */
  readonly error: unknown;
  /** From the receipt of its frame to its end, in milliseconds. */
  readonly ms: number;
}

/** Observes a bot, for metrics and traces. What it throws is logged, and has no other effect. */
export interface BotObserver {
  /** Called once, before the bot connects. */
  readonly connecting?: (parts: {
    readonly rest: Rest;
    readonly gateway: GatewayPort;
    /** Returns figures of a bot of several processes. */
    readonly metrics?: GatewayPort['metrics'];
  }) => void;
  /** Receives the states of the connection, as `GatewayListener.status` does. */
  readonly status?: (status: GatewayStatus) => void;
  /** Calls `run`, which never rejects, in a context of its own, and returns its promise. */
  readonly around?: (start: CommandStart, run: () => Promise<void>) => Promise<void>;
  /** Called when a command has its outcome. */
  readonly ended?: (record: CommandRecord) => void;
}
