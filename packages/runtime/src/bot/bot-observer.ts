import type { GatewayPort, GatewayStatus } from '@virgule/client/gateway';
import type { Rest } from '@virgule/client/rest';

/** A command that is about to run. */
export interface CommandStart {
  readonly command: string;
  readonly interactionId: string;
  /** When its frame came in: a reading of `Clock.monotonic()`, in milliseconds. */
  readonly receivedAtMs: number;
}

/** A command that has run. */
export interface CommandRecord {
  readonly command: string;
  readonly interactionId: string;
  /** The state it ended in, such as `answered`. */
  readonly outcome: string;
  /** How its run ended beside that: `ok`, or why not, such as `input`, `cooldown` or `failed`. */
  readonly result: string;
  /** What went wrong; `undefined` when nothing did. */
  readonly error: unknown;
  /** From the receipt of its frame to its end, in milliseconds. */
  readonly ms: number;
}

/** Looks on while a bot works: for metrics and traces. What it throws is logged, and changes nothing. */
export interface BotObserver {
  /** Called once, before the bot connects. */
  readonly connecting?: (parts: { readonly rest: Rest; readonly gateway: GatewayPort }) => void;
  /** Hears of the connection, as `GatewayListener.status` does. */
  readonly status?: (status: GatewayStatus) => void;
  /** Calls `run`, which never rejects, in surroundings of its own, and gives what it gives. */
  readonly around?: (start: CommandStart, run: () => Promise<void>) => Promise<void>;
  /** A command came to its outcome. */
  readonly ended?: (record: CommandRecord) => void;
}
