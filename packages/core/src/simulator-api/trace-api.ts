// The trace of the simulator: `/_sim/trace`. Not part of the Bot Interface.
import { isRecord } from '../objects/is-object.js';

/** Header with the id of the interaction or message that caused a request, only sent to a simulator. */
export const SIM_CAUSE_HEADER = 'x-virgule-cause';

/** Returns the id by which the trace groups an event: the id of its interaction, message or channel. */
export function causeOf(payload: unknown): string | undefined {
  if (!isRecord(payload)) return undefined;
  const { interactionId, id, messageId, channelId } = payload;
  return [interactionId, id, messageId, channelId].find((value) => typeof value === 'string');
}

/** An entry of the trace: a request, a frame, an entry of the bot's log, or a notice of the simulator. */
export interface SimTraceRow {
  /** Increases by one with each row. */
  readonly id: number;
  /** Start, in milliseconds since 1970, with fractions. */
  readonly atMs: number;
  /** The moment of the world at that time: see `SimPast`. */
  readonly moment: number;
  readonly kind: 'request' | 'frame' | 'log' | 'notice';
  /** Source of the request, frame or entry. */
  readonly from: 'bot' | 'user' | 'platform';
  /** Username of the bot that sent or received the request, frame or entry; absent if no single bot is concerned. */
  readonly bot?: string | undefined;
  /** Description: `POST …/interactions/…/defer`, `APPLICATION_COMMAND /roll 20`, the message of a log entry. */
  readonly what: string;
  /** Id of the interaction, or else of the message, that the row belongs to. */
  readonly group: string | null;
  readonly isError: boolean;
  /** Number of the endpoint in the Bot Interface. */
  readonly endpoint?: number | undefined;
  /** HTTP status, or close code. */
  readonly status?: number | undefined;
  readonly tookMs?: number | undefined;
  /** Duration of each part of a command, in milliseconds, by the name in its log entry. */
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
  /** Length of the whole text, in characters. */
  readonly length: number;
}

/** A page of the trace. */
export interface SimTracePage {
  /** Rows in the order of their ids. */
  readonly rows: readonly SimTraceRow[];
  readonly hasMore: boolean;
  /** Id of the oldest row in the trace. */
  readonly firstId: number;
  /** Id of the newest row of all; smaller than before after a restart of the simulator. */
  readonly lastId: number;
}
