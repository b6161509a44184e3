// The trace of the simulator: `/_sim/trace`. Not part of the Bot Interface.
import { isRecord } from '../objects/is-object.js';

/**
 * Header with which a bot in development names the interaction or message that it handles, so that the trace shows its
 * requests there. Only sent to a simulator.
 */
export const SIM_CAUSE_HEADER = 'x-virgule-cause';

/** Returns the id by which the trace groups an event: of its interaction, message or channel. */
export function causeOf(payload: unknown): string | undefined {
  if (!isRecord(payload)) return undefined;
  const { interactionId, id, messageId, channelId } = payload;
  return [interactionId, id, messageId, channelId].find((value) => typeof value === 'string');
}

/**
 * Something that happened: a request, a frame of the gateway, an entry of the bot's log, or something that the
 * simulator did by itself.
 */
export interface SimTraceRow {
  /** Increases by one with each row. */
  readonly id: number;
  /** When it began: milliseconds since 1970, with fractions. */
  readonly atMs: number;
  /** The moment of the world by then: see `SimPast`. */
  readonly moment: number;
  readonly kind: 'request' | 'frame' | 'log' | 'notice';
  /** Who did it. */
  readonly from: 'bot' | 'user' | 'platform';
  /** Username of the bot that it is from or for; absent if it is not about one bot. */
  readonly bot?: string | undefined;
  /** Such as `POST …/interactions/…/defer`, `APPLICATION_COMMAND /roll 20` or the message of a log entry. */
  readonly what: string;
  /** Id of the interaction, or else of the message, that it belongs to. */
  readonly group: string | null;
  readonly isError: boolean;
  /** Number of the endpoint in the Bot Interface. */
  readonly endpoint?: number | undefined;
  /** HTTP status, or close code. */
  readonly status?: number | undefined;
  readonly tookMs?: number | undefined;
  /** How long each part of a command took, in milliseconds, by the name in its log entry. */
  readonly timings?: Readonly<Record<string, number>> | undefined;
}

export interface SimTraceDetail extends SimTraceRow {
  readonly sections: readonly SimTraceSection[];
}

/** A part of a row, such as a body. Secrets are masked. */
export interface SimTraceSection {
  readonly title: string;
  /** JSON, or plain text; the first 65,536 characters. */
  readonly text: string;
  /** Characters of the whole text. */
  readonly length: number;
}

/** A page of the trace. */
export interface SimTracePage {
  /** In the order of their ids. */
  readonly rows: readonly SimTraceRow[];
  readonly hasMore: boolean;
  /** Id of the oldest row that is kept. */
  readonly firstId: number;
  /** Id of the newest row of all; smaller than before after the simulator was started again. */
  readonly lastId: number;
}
