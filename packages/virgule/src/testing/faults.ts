import { API_ERROR_CODES, RATE_LIMIT_HEADERS, type EndpointName } from '@virgule/core/protocol';
import type { Duration } from '@virgule/runtime';
import { durationMs } from '@virgule/runtime/project';

/** What goes wrong between the bot and the platform. */
export interface FaultRule {
  /** The requests it applies to. @defaultValue all */
  readonly endpoint?: EndpointName | undefined;
  /** How many requests it applies to. @defaultValue 1 */
  readonly times?: number | undefined;
  /** How many requests pass before. @defaultValue 0 */
  readonly after?: number | undefined;
  /** Answers with this status, and the platform does not see the request. */
  readonly status?: number | undefined;
  /** Code in the body of that answer. @defaultValue `bot_rate_limited` for 429, else `sim_fault` */
  readonly code?: string | undefined;
  /** How long the answer asks to wait, in whole seconds; for 429 and 503. */
  readonly retryAfter?: Duration | undefined;
  /** Breaks the connection: before the platform sees the request, or before the bot sees the answer. */
  readonly drop?: 'request' | 'response' | undefined;
  /** Delays the request, on the clock of the bot. @defaultValue none */
  readonly delay?: Duration | undefined;
}

/** A fault that was set. */
export interface Fault {
  /** How many requests it was applied to. */
  readonly hits: number;
  remove(): void;
}

/** What happens to one request. */
export interface FaultEffect {
  readonly delayMs: number;
  readonly drop: FaultRule['drop'];
  readonly answer:
    | { readonly status: number; readonly headers: Record<string, string>; readonly body: string }
    | undefined;
}

export function createFaults() {
  const rules = new Set<{ readonly rule: FaultRule; seen: number; hits: number }>();

  return {
    add(rule: FaultRule): Fault {
      const entry = { rule, seen: 0, hits: 0 };
      rules.add(entry);
      return {
        get hits() {
          return entry.hits;
        },
        remove: () => void rules.delete(entry),
      };
    },
    /** Returns what happens to a request; the first rule that applies decides. */
    take(endpoint: EndpointName | undefined): FaultEffect | undefined {
      for (const entry of rules) {
        const { rule } = entry;
        if (rule.endpoint !== undefined && rule.endpoint !== endpoint) continue;
        entry.seen += 1;
        if (entry.seen <= (rule.after ?? 0) || entry.hits >= (rule.times ?? 1)) continue;
        entry.hits += 1;
        return effectOf(rule);
      }
      return undefined;
    },
  };
}

function effectOf({ status, code, retryAfter, drop, delay }: FaultRule): FaultEffect {
  const delayMs = delay === undefined ? 0 : (durationMs(delay) ?? 0);
  if (status === undefined) return { delayMs, drop, answer: undefined };
  const waitMs = retryAfter === undefined ? undefined : durationMs(retryAfter);
  const seconds = waitMs === undefined ? undefined : Math.ceil(waitMs / 1_000);
  const body = JSON.stringify({
    code: code ?? (status === 429 ? API_ERROR_CODES.rateLimited : 'sim_fault'),
    message: 'A fault of the test.',
    details: seconds === undefined ? {} : { retryAfterSeconds: seconds },
    requestId: 'fault',
  });
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  if (seconds !== undefined) headers[RATE_LIMIT_HEADERS.retryAfterSeconds] = String(seconds);
  return { delayMs, drop, answer: { status, headers, body } };
}
