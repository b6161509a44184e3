import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { clientErrors } from '../errors/client-errors.js';
import { Call } from './call.js';
import { Exchange, type ExchangeResult } from './exchange.js';
import { ExchangeWatch } from './exchange-watch.js';
import { snapshotLimits, type LimitsSnapshot } from './limits-snapshot.js';
import {
  interruptionError,
  judge,
  limitOutcome,
  networkOutcome,
  refusalError,
  type Verdict,
} from './outcome.js';
import type { Pools } from './pool.js';
import type { PriorityClass, RequestPlan } from './request-plan.js';
import { Queue } from './queue.js';
import type { RateLimits } from './rate-limits.js';
import { RefusalGuard } from './refusal-guard.js';
import { backoffMs, isAway, mayTryAgain } from './retry.js';
import { openTicket, type Refusal, type Ticket } from './ticket.js';
import { TokenState } from './token-state.js';
import { Roster } from '@virgule/core/collections';

/** How many failed tries of one call are logged. */
const LOGGED_FAULTS = 3;

/** How long asking whether the token is valid may take, in milliseconds. */
const TOKEN_CHECK_MS = 10_000;

/** How long `close()` lets requests in flight complete, in milliseconds. */
const DRAIN_MS = 5_000;

export interface CallerOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly pools: Pools;
  readonly limits: RateLimits;
  /** Only to keep it out of errors. */
  readonly token: string;
  /** Why the token is known to be refused before anything is sent. */
  readonly refused?: string | undefined;
  /** How often one request is tried at most. */
  readonly maxTries: number;
  /** A request that shows whether the token is valid. */
  readonly tokenCheck: RequestPlan;
}

export interface SendOptions {
  readonly signal: AbortSignal | undefined;
  /** Time for the whole call, in milliseconds. */
  readonly deadlineMs: number;
  /** @defaultValue `awaited` */
  readonly priority?: PriorityClass | undefined;
  /** Called each time before the request is sent again. */
  readonly onRetry?: (() => void) | undefined;
}

/** A request that the platform accepted. */
export interface Accepted {
  readonly status: number;
  /** Absent when it was lost and the caller does not need it. */
  readonly body: Uint8Array | undefined;
  readonly call: Call;
}

/** Carries requests out: waits for limits, sends, tries again, and settles each call once. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #active = new Roster<Call>();
  readonly #exchanges: { readonly clock: Clock; readonly watch: ExchangeWatch };
  readonly #limits: RateLimits;
  readonly #guard: RefusalGuard;
  readonly #queue: Queue;
  readonly #token: TokenState;
  #closing: Promise<void> | undefined;
  #idle: (() => void) | undefined;

  constructor(options: CallerOptions) {
    this.#options = options;
    const { clock, random, log, limits, tokenCheck: check, refused } = options;
    this.#exchanges = { clock, watch: new ExchangeWatch(clock) };
    this.#limits = limits;
    this.#guard = new RefusalGuard({
      clock,
      warn: (count) =>
        log.warn({ count }, `the platform refused ${count} requests in the last ten minutes`),
    });
    this.#queue = new Queue({ clock, random, limits, guard: this.#guard });
    this.#token = new TokenState({
      log,
      check,
      send: (plan) => this.send(plan, { signal: undefined, deadlineMs: TOKEN_CHECK_MS }),
      onRefused: () => {
        for (const call of this.#active.all()) call.interruptWait({ why: 'unauthorized' });
      },
    });
    if (refused !== undefined) this.#token.refuse(refused);
  }

  /** Aborted once the token is refused. */
  get tokenRefused(): AbortSignal {
    return this.#token.refused;
  }

  /** Returns the rate limits that the platform stated, and the calls that wait for them now. */
  limits(): LimitsSnapshot {
    return snapshotLimits(this.#limits, this.#guard, this.#queue);
  }

  async send(
    plan: RequestPlan,
    { signal, deadlineMs, priority, onRetry }: SendOptions,
  ): Promise<Accepted> {
    const call = new Call({ plan, clock: this.#options.clock, deadlineMs, signal });
    const ticket = openTicket(plan, call.deadlineAtMs, priority);
    this.#active.add(call);
    try {
      for (;;) {
        this.#check(call);
        // Nothing is awaited when the call may go at once: an interruption cannot fall between.
        const queued = this.#queue.admit(ticket);
        if (queued) await this.#waitInQueue(queued, call, ticket);
        let verdict: Verdict;
        // The permit is released whatever happens.
        try {
          // It may have been interrupted between being let through and now.
          if (queued) this.#check(call);
          const exchange = this.#exchange(call);
          call.begin(() => exchange.interrupt());
          const result = await exchange.result;
          call.leave();
          verdict = this.#judge(result, call, ticket);
        } finally {
          this.#queue.release(ticket);
        }
        if (verdict.kind === 'accepted') {
          return { status: verdict.status, body: verdict.body, call };
        }
        await this.#recover(verdict, call);
        onRetry?.();
      }
    } finally {
      this.#queue.end(ticket);
      call.end();
      this.#active.delete(call);
      if (this.#active.size === 0) this.#idle?.();
    }
  }

  /** Ends calls that wait, lets those in flight complete for a while, then drops the connections. */
  close(): Promise<void> {
    this.#closing ??= this.#drain();
    return this.#closing;
  }

  async #drain(): Promise<void> {
    const { clock, pools } = this.#options;
    for (const call of this.#active.all()) call.interruptWait({ why: 'closing' });
    if (this.#active.size > 0) {
      const patience = new AbortController();
      this.#idle = () => patience.abort();
      // Rejects when the last call has ended: then there is nothing more to wait for.
      await clock.sleep(DRAIN_MS, { signal: patience.signal }).catch(() => {});
      for (const call of this.#active.all()) call.interrupt({ why: 'closing' });
    }
    await pools.destroy();
  }

  /** Waits until the call is let through. */
  async #waitInQueue(
    queued: Promise<Refusal | undefined>,
    call: Call,
    ticket: Ticket,
  ): Promise<void> {
    const refusal = await call.waitFor(queued, () => this.#queue.cancel(ticket));
    if (refusal && !call.interruption) throw refusalError(refusal, call, ticket);
  }

  /** Throws when the call must end. */
  #check(call: Call): void {
    if (this.#closing) call.interruption ??= { why: 'closing' };
    const { answer } = this.#token;
    if (call.interruption?.why !== 'aborted' && answer !== undefined) {
      throw clientErrors.E_UNAUTHORIZED({ ...call.facts(), answer });
    }
    if (call.interruption) throw interruptionError(call, 'waiting', call.maybeSent);
    if (call.remainingMs <= 0) {
      throw clientErrors.E_TIMEOUT({
        ...call.facts(),
        phase: 'waiting',
        maybeSent: call.maybeSent,
      });
    }
  }

  /** Returns what the exchange means for its call, and notes what it means for the next ones. */
  #judge(result: ExchangeResult, call: Call, ticket: Ticket): Verdict {
    const verdict = judge(result, call, this.#options.token);
    ticket.network = networkOutcome(result);
    ticket.outcome = limitOutcome(result, verdict, this.#options.random);
    if (result.status !== undefined && call.plan.carriesToken) this.#guard.note(result.status);
    return verdict;
  }

  #exchange(call: Call): Exchange {
    const { pools } = this.#options;
    const { origin, lane, method, path, headers, body, headersMs, stall, bodyMs } = call.plan;
    const { deadlineAtMs } = call;
    call.attempts += 1;
    const exchange = new Exchange(this.#exchanges, {
      deadlineAtMs,
      headersMs,
      stall,
      bodyMs,
    });
    exchange.start(pools.to(origin, lane), {
      origin,
      path,
      method,
      headers,
      body: typeof body === 'function' ? body(() => exchange.notePiece()) : body,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return exchange;
  }

  /** Returns when the request may be sent again, else throws the call's error. */
  async #recover(verdict: Exclude<Verdict, { kind: 'accepted' }>, call: Call): Promise<void> {
    switch (verdict.kind) {
      case 'failed':
        throw verdict.error;
      case 'unauthorized':
        this.#token.doubt(verdict.answer, call.plan.endpoint);
        throw clientErrors.E_UNAUTHORIZED({
          ...call.facts(verdict.requestId),
          answer: verdict.answer,
        });
      case 'limited':
        this.#noteLimit(verdict, call);
        return;
      case 'fault':
        await this.#backOff(verdict, call);
    }
  }

  #noteLimit(verdict: Extract<Verdict, { kind: 'limited' }>, call: Call): void {
    const { log } = this.#options;
    const { retryAfterMs, requestId } = verdict;
    log.warn({ ...call.facts(requestId), retryAfterMs }, 'rate limited by the platform');
    if (retryAfterMs >= call.remainingMs) {
      throw clientErrors.E_RATE_LIMITED({ ...call.facts(requestId), retryAfterMs });
    }
  }

  async #backOff(verdict: Extract<Verdict, { kind: 'fault' }>, call: Call): Promise<void> {
    const { random, log, maxTries } = this.#options;
    const { status, maybeSent, error, afterMs } = verdict;
    call.faults += 1;
    call.maybeSent ||= maybeSent;
    if (maybeSent && !isAway(status)) call.sentTries += 1;
    const waitMs = Math.max(afterMs, backoffMs(call.faults, random));
    const { retry } = call.plan;
    const again =
      call.faults < maxTries &&
      mayTryAgain({ retry, maybeSent: call.maybeSent, status, sentTries: call.sentTries });
    if (!again || waitMs >= call.remainingMs) throw error;
    // The first few say what is wrong; a line for each try of each call would be a flood.
    if (call.faults <= LOGGED_FAULTS) {
      log.warn({ ...call.facts(), waitMs: Math.round(waitMs), code: error.code }, error.message);
    }
    await call.wait(waitMs);
  }
}
