import { silentLog } from '@virgule/core/log';
import { createGateway, type GatewayEvent, type GatewayStatus } from '@virgule/client/gateway';
import {
  createRest,
  isApiRefused,
  isOutcomeUnknown,
  isRateLimited,
  isShuttingDown,
  isUnreachable,
} from '@virgule/client/rest';
import { systemClock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';
import {
  CALL_DEADLINE_MS,
  CALLS_PER_SECOND,
  COMMANDS_PER_SECOND,
  EVENTS_PER_SECOND,
  numberIn,
  OUTCOMES,
  PREFIX,
  capacityFor,
  type Outcome,
  type SoakGap,
  type SoakRecords,
} from './soak-records.js';

export interface SoakBotOptions {
  readonly token: string;
  readonly port: number;
  readonly channelId: string;
  readonly minutes: number;
}

export interface SoakBot {
  /** Starts to make calls. */
  begin(): void;
  /** Stops making calls. Resolves when every call has completed. */
  end(): Promise<void>;
  /** Closes both clients. Resolves with the records. */
  close(): Promise<SoakRecords>;
}

/** Starts a bot on `@virgule/client` that answers, receives and calls, and records everything. */
export async function startSoakBot(options: SoakBotOptions): Promise<SoakBot> {
  const { token, port, channelId, minutes } = options;
  const rest = createRest({
    token,
    baseUrl: `http://127.0.0.1:${port}`,
    deadlineMs: CALL_DEADLINE_MS,
    log: silentLog,
  });
  const gateway = createGateway({
    token,
    gatewayUrl: `ws://127.0.0.1:${port}`,
    backfill: { rest, channels: () => [channelId] },
    log: silentLog,
  });

  // Allocated once in full size, so that the records do not look like a leak.
  const room = capacityFor(minutes, CALLS_PER_SECOND);
  const outcomes = new Uint8Array(room);
  const startedAtMs = new Float64Array(room);
  const tookMs = new Float64Array(room);
  const events = new Uint8Array(capacityFor(minutes, EVENTS_PER_SECOND));
  const commands = new Uint8Array(capacityFor(minutes, COMMANDS_PER_SECOND));
  const failures: Record<string, number> = {};
  const unexpected: string[] = [];
  const gaps: SoakGap[] = [];
  let recovered = 0;
  let calls = 0;
  const open = new Set<Promise<void>>();

  function note(error: unknown): Outcome {
    const code = isVirguleError(error) ? error.code : 'other';
    failures[code] = (failures[code] ?? 0) + 1;
    if (!isVirguleError(error)) unexpected.push(String(error));
    if (isOutcomeUnknown(error)) return 'unknown';
    const isNotDone =
      isUnreachable(error) || isApiRefused(error) || isRateLimited(error) || isShuttingDown(error);
    return isNotDone ? 'not-done' : 'unknown';
  }

  process.on('unhandledRejection', (reason) => unexpected.push(`unhandled: ${String(reason)}`));

  /** Makes a call. Every other one sends a message with its number; the others read. */
  function act(index: number): Promise<unknown> {
    if (index % 2 === 0) return rest.messages.send(channelId, { content: PREFIX.call + index });
    if (index % 8 === 1) return rest.users.me();
    if (index % 8 === 3) return rest.messages.list(channelId, { limit: 5 });
    if (index % 8 === 5) return rest.channels.typing(channelId);
    return rest.servers.list();
  }

  async function call(index: number): Promise<void> {
    const startMs = systemClock.monotonic();
    startedAtMs[index] = startMs;
    let outcome: Outcome = 'done';
    try {
      await act(index);
    } catch (error) {
      outcome = note(error);
    }
    tookMs[index] = systemClock.monotonic() - startMs;
    outcomes[index] = OUTCOMES.indexOf(outcome);
  }

  function track(work: Promise<void>): void {
    open.add(work);
    void work.finally(() => open.delete(work));
  }

  async function answer(interactionId: string, index: number): Promise<void> {
    try {
      await rest.interactions.respond(interactionId, { content: PREFIX.answer + index });
    } catch (error) {
      note(error);
    }
  }

  function count(list: Uint8Array, index: number | undefined): void {
    if (index !== undefined) list[index] = (list[index] ?? 0) + 1;
  }

  function dispatch(event: GatewayEvent): void {
    // The simulator sends objects, whose fields are checked below.
    const payload = event.d as Readonly<Record<string, unknown>>;
    if (event.t === 'APPLICATION_COMMAND') {
      const index = numberIn(payload['rawInput'], PREFIX.command);
      count(commands, index);
      if (index !== undefined) track(answer(String(payload['interactionId']), index));
    }
    if (event.t !== 'MESSAGE_CREATE') return;
    const index = numberIn(payload['content'], PREFIX.event);
    count(events, index);
    if (index !== undefined && event.recovered) recovered += 1;
  }

  function status(change: GatewayStatus): void {
    if (change.state !== 'gap') return;
    const { from, to, reason } = change;
    gaps.push({ fromMs: Date.parse(from), toMs: Date.parse(to), reason });
  }

  await rest.commands.replace([
    { name: 'soak', description: 'Answers its own number', options: [] },
  ]);
  await gateway.connect({ dispatch, status });

  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      const beganAtMs = systemClock.monotonic();
      timer = setInterval(() => {
        const due = ((systemClock.monotonic() - beganAtMs) / 1_000) * CALLS_PER_SECOND;
        for (; calls < due && calls < room; calls += 1) track(call(calls));
      }, 1_000 / CALLS_PER_SECOND);
    },
    async end() {
      clearInterval(timer);
      while (open.size > 0) await Promise.allSettled(open);
    },
    async close() {
      await gateway.close();
      await rest.close();
      return {
        outcomes: [...outcomes.subarray(0, calls)],
        startedAtMs: [...startedAtMs.subarray(0, calls)],
        tookMs: [...tookMs.subarray(0, calls)],
        events: [...events],
        commands: [...commands],
        recovered,
        gaps,
        failures,
        unexpected: unexpected.slice(0, 20),
      };
    },
  };
}
