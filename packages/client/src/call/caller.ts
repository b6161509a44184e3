import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { clientErrors } from '../errors/client-errors.js';
import type { Connections } from '../http/connections.js';
import type { Exchange, ExchangeResult } from '../http/exchange.js';
import { ExchangeWatch } from '../http/exchange-watch.js';
import { MockableExchange } from '../http/mockable-exchange.js';
import { Roster } from '../http/roster.js';
import { InvalidRequestGuard } from '../limits/invalid-request-guard.js';
import type { Limiter } from '../limits/limiter.js';
import type { LimitsSnapshot } from '../limits/limits-snapshot.js';
import { describeLimits } from '../schedule/describe-limits.js';
import { priorityClass, type PriorityClass } from '../schedule/priority.js';
import { Scheduler } from '../schedule/scheduler.js';
import { createTicket, type Refusal, type Ticket } from '../schedule/ticket.js';
import { CallScope } from './call-scope.js';
import { interruptionError, judge, type Verdict } from './judge.js';
import type { RequestPlan } from './request-plan.js';
import { limitOutcome, networkOutcome } from './request-outcome.js';
import { refusalError } from './refusal-error.js';
import { backoffMs, isAway, mayTryAgain } from './retry-policy.js';

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
  readonly connections: Connections;
  readonly limiter: Limiter;
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
  /** Absent when it was lost on the way and the caller does not need it. */
  readonly body: Uint8Array | undefined;
  readonly scope: CallScope;
}

/** Carries requests out: waits for limits, sends, tries again, and settles each call once. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #active = new Roster<CallScope>();
  readonly #exchanges: { readonly clock: Clock; readonly watch: ExchangeWatch };
  readonly #limiter: Limiter;
  readonly #guard: InvalidRequestGuard;
  readonly #scheduler: Scheduler;
  readonly #tokenRefused = new AbortController();
  #refused: string | undefined;
  #isChecking = false;
  #closing: Promise<void> | undefined;
  #idle: (() => void) | undefined;

  constructor(options: CallerOptions) {
    this.#options = options;
    if (options.refused !== undefined) this.#refuseToken(options.refused);
    const { clock, random, log, limiter } = options;
    this.#exchanges = { clock, watch: new ExchangeWatch(clock) };
    this.#limiter = limiter;
    this.#guard = new InvalidRequestGuard({
      clock,
      warn: (count) =>
        log.warn({ count }, `the platform refused ${count} requests in the last ten minutes`),
    });
    this.#scheduler = new Scheduler({ clock, random, limiter, guard: this.#guard });
  }

  /** Aborted once the token is refused. */
  get tokenRefused(): AbortSignal {
    return this.#tokenRefused.signal;
  }

  /** Returns the rate limits that the platform stated, and the calls that wait for them now. */
  limits(): LimitsSnapshot {
    return describeLimits(this.#limiter, this.#guard, this.#scheduler);
  }

  async send(
    plan: RequestPlan,
    { signal, deadlineMs, priority, onRetry }: SendOptions,
  ): Promise<Accepted> {
    const scope = new CallScope({ plan, clock: this.#options.clock, deadlineMs, signal });
    const ticket = openTicket(scope, priority);
    this.#active.add(scope);
    try {
      for (;;) {
        this.#check(scope);
        // Nothing is awaited when the call may go at once: an interruption cannot fall between.
        const queued = this.#scheduler.admit(ticket);
        if (queued) await this.#queue(queued, scope, ticket);
        let verdict: Verdict;
        // The permit is given back whatever happens.
        try {
          // It may have been interrupted between being let through and now.
          if (queued) this.#check(scope);
          const exchange = this.#exchange(scope);
          scope.begin(() => exchange.interrupt());
          const result = await exchange.result;
          scope.leave();
          verdict = this.#judge(result, scope, ticket);
        } finally {
          this.#scheduler.giveBack(ticket);
        }
        if (verdict.kind === 'accepted') {
          return { status: verdict.status, body: verdict.body, scope };
        }
        await this.#recover(verdict, scope);
        onRetry?.();
      }
    } finally {
      this.#scheduler.leave(ticket);
      scope.end();
      this.#active.delete(scope);
      if (this.#active.size === 0) this.#idle?.();
    }
  }

  /** Ends calls that wait, lets those in flight complete for a while, then drops the connections. */
  close(): Promise<void> {
    this.#closing ??= this.#drain();
    return this.#closing;
  }

  async #drain(): Promise<void> {
    const { clock, connections } = this.#options;
    for (const scope of this.#active.all()) scope.interruptWait({ why: 'closing' });
    if (this.#active.size > 0) {
      const patience = new AbortController();
      this.#idle = () => patience.abort();
      // Rejects when the last call has ended, which is as good as the time being over.
      await clock.sleep(DRAIN_MS, { signal: patience.signal }).catch(() => {});
      for (const scope of this.#active.all()) scope.interrupt({ why: 'closing' });
    }
    await connections.destroy();
  }

  /** Waits until the call is let through. */
  async #queue(
    queued: Promise<Refusal | undefined>,
    scope: CallScope,
    ticket: Ticket,
  ): Promise<void> {
    const refusal = await scope.waitFor(queued, () => this.#scheduler.cancel(ticket));
    if (refusal && !scope.interruption) throw refusalError(refusal, scope, ticket);
  }

  /** Throws when the call must end. */
  #check(scope: CallScope): void {
    if (this.#closing) scope.interruption ??= { why: 'closing' };
    if (scope.interruption?.why !== 'aborted' && this.#refused !== undefined) {
      throw clientErrors.E_UNAUTHORIZED({ ...scope.facts(), answer: this.#refused });
    }
    if (scope.interruption) throw interruptionError(scope, 'waiting', scope.maybeSent);
    if (scope.remainingMs <= 0) {
      throw clientErrors.E_TIMEOUT({
        ...scope.facts(),
        phase: 'waiting',
        maybeSent: scope.maybeSent,
      });
    }
  }

  /** What the exchange means for the call, and for what the next ones may do. */
  #judge(result: ExchangeResult, scope: CallScope, ticket: Ticket): Verdict {
    const verdict = judge(result, scope, this.#options.token);
    ticket.network = networkOutcome(result);
    ticket.outcome = limitOutcome(result, verdict, this.#options.random);
    if (result.status !== undefined && scope.plan.carriesToken) this.#guard.note(result.status);
    return verdict;
  }

  #exchange(scope: CallScope): Exchange {
    const { connections } = this.#options;
    const { origin, lane, method, path, headers, body, headersMs, answerMs, bodyMs } = scope.plan;
    const { deadlineAtMs } = scope;
    scope.attempts += 1;
    const exchange = new MockableExchange(this.#exchanges, {
      deadlineAtMs,
      headersMs,
      answerMs,
      bodyMs,
    });
    exchange.start(connections.to(origin, lane), {
      origin,
      path,
      method,
      headers,
      body: typeof body === 'function' ? body() : body,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return exchange;
  }

  /** Returns when the request may be sent again, else throws the call's error. */
  async #recover(verdict: Exclude<Verdict, { kind: 'accepted' }>, scope: CallScope): Promise<void> {
    switch (verdict.kind) {
      case 'failed':
        throw verdict.error;
      case 'unauthorized':
        this.#doubtToken(verdict.answer, scope);
        throw clientErrors.E_UNAUTHORIZED({
          ...scope.facts(verdict.requestId),
          answer: verdict.answer,
        });
      case 'limited':
        this.#noteLimit(verdict, scope);
        return;
      case 'fault':
        await this.#backOff(verdict, scope);
    }
  }

  /** One 401 may be a mistake on the way: another request shows whether it is about the token. */
  #doubtToken(answer: string, { plan }: CallScope): void {
    if (plan.endpoint === this.#options.tokenCheck.endpoint) this.#refuseToken(answer);
    else if (!this.#isChecking) void this.#checkToken();
  }

  /** Never rejects. */
  async #checkToken(): Promise<void> {
    const { log, tokenCheck } = this.#options;
    this.#isChecking = true;
    try {
      await this.send(tokenCheck, { signal: undefined, deadlineMs: TOKEN_CHECK_MS });
      log.warn({}, 'a request was answered 401, but the bot token is valid');
    } catch (error) {
      // The call that was refused may be one that no code waits for.
      if (this.#refused !== undefined) {
        log.error({ answer: this.#refused }, 'the bot token is refused, nothing is sent any more');
      } else if (!this.#closing) {
        log.warn(
          { error: String(error) },
          'a request was answered 401, and the bot token could not be checked',
        );
      }
    } finally {
      this.#isChecking = false;
    }
  }

  /** From now on nothing is sent. */
  #refuseToken(answer: string): void {
    if (this.#refused !== undefined) return;
    this.#refused = answer;
    for (const scope of this.#active.all()) scope.interruptWait({ why: 'unauthorized' });
    const { endpoint, route } = this.#options.tokenCheck;
    const facts = { endpoint, route, attempts: 0, elapsedMs: 0 };
    this.#tokenRefused.abort(clientErrors.E_UNAUTHORIZED({ ...facts, answer }));
  }

  #noteLimit(verdict: Extract<Verdict, { kind: 'limited' }>, scope: CallScope): void {
    const { log } = this.#options;
    const { retryAfterMs, requestId } = verdict;
    log.warn({ ...scope.facts(requestId), retryAfterMs }, 'rate limited by the platform');
    if (retryAfterMs >= scope.remainingMs) {
      throw clientErrors.E_RATE_LIMITED({ ...scope.facts(requestId), retryAfterMs });
    }
  }

  async #backOff(verdict: Extract<Verdict, { kind: 'fault' }>, scope: CallScope): Promise<void> {
    const { random, log, maxTries } = this.#options;
    const { status, maybeSent, error, afterMs } = verdict;
    scope.faults += 1;
    scope.maybeSent ||= maybeSent;
    if (maybeSent && !isAway(status)) scope.sentTries += 1;
    const waitMs = Math.max(afterMs, backoffMs(scope.faults, random));
    const { retry } = scope.plan;
    const again =
      scope.faults < maxTries &&
      mayTryAgain({ retry, maybeSent: scope.maybeSent, status, sentTries: scope.sentTries });
    if (!again || waitMs >= scope.remainingMs) throw error;
    // The first few tell what is wrong; a line for each try of each call would be a flood.
    if (scope.faults <= LOGGED_FAULTS) {
      log.warn({ ...scope.facts(), waitMs: Math.round(waitMs), code: error.code }, error.message);
    }
    await scope.wait(waitMs);
  }
}

function openTicket(scope: CallScope, priority: PriorityClass | undefined): Ticket {
  const { plan, deadlineAtMs } = scope;
  const { lane, origin, endpoint, major } = plan;
  return createTicket({
    lane,
    origin,
    deadlineAtMs,
    priority: priorityClass(plan, priority),
    key: {
      route: endpoint,
      major,
      isBrief: lane === 'interaction',
      isForeign: lane === 'upload',
    },
    // What changes a channel, or answers a command, is to be seen there in the order of the calls. Files
    // have no order.
    inOrder: isInOrder(plan),
  });
}

function isInOrder({ lane, method, endpoint, major }: RequestPlan): boolean {
  if (lane === 'interaction') return major !== '';
  return lane === 'general' && method !== 'GET' && endpoint !== 'attachments.openUpload';
}
