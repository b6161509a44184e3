import type { Clock } from '@virgule/core/clock';
import type { VirguleError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { clientErrors } from '../errors/client-errors.js';
import type { Connections } from '../http/connections.js';
import { MockableExchange } from '../http/mockable-exchange.js';
import type { Limiter } from '../limits/limiter.js';
import { CallScope } from './call-scope.js';
import { interruptionError, judge, type Verdict } from './judge.js';
import type { RequestPlan } from './request-plan.js';
import { backoffMs, limitJitterMs, mayTryAgain } from './retry-policy.js';

/** How long `close()` lets requests that are on their way come to their end, in milliseconds. */
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
}

export interface SendOptions {
  readonly signal: AbortSignal | undefined;
  /** Time for the whole call, in milliseconds. */
  readonly deadlineMs: number;
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
  readonly #active = new Set<CallScope>();
  #refused: string | undefined;
  #closing: Promise<void> | undefined;
  #idle: (() => void) | undefined;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#refused = options.refused;
  }

  async send(plan: RequestPlan, { signal, deadlineMs }: SendOptions): Promise<Accepted> {
    const scope = new CallScope({ plan, clock: this.#options.clock, deadlineMs, signal });
    this.#active.add(scope);
    try {
      for (;;) {
        // Nothing is awaited between this check and the attempt: an interruption cannot fall between.
        const waitMs = this.#limitWaitMs(scope);
        if (waitMs > 0) {
          await scope.wait(waitMs);
          continue;
        }
        const verdict = await this.#attempt(scope);
        if (verdict.kind === 'accepted') {
          return { status: verdict.status, body: verdict.body, scope };
        }
        await this.#recover(verdict, scope);
      }
    } finally {
      scope.end();
      this.#active.delete(scope);
      if (this.#active.size === 0) this.#idle?.();
    }
  }

  /** Ends calls that wait, lets those on their way end for a while, then drops the connections. */
  close(): Promise<void> {
    this.#closing ??= this.#drain();
    return this.#closing;
  }

  async #drain(): Promise<void> {
    const { clock, connections } = this.#options;
    for (const scope of this.#active) scope.interruptWait({ why: 'closing' });
    if (this.#active.size > 0) {
      const patience = new AbortController();
      this.#idle = () => patience.abort();
      // Rejects when the last call has ended, which is as good as the time being over.
      await clock.sleep(DRAIN_MS, { signal: patience.signal }).catch(() => {});
      for (const scope of this.#active) scope.interrupt({ why: 'closing' });
    }
    await connections.destroy();
  }

  /** How long the call has to wait for its bucket, in milliseconds; 0 when it may go. */
  #limitWaitMs(scope: CallScope): number {
    const { limiter, random } = this.#options;
    this.#check(scope);
    const delayMs = limiter.delayMs(scope.plan.bucket);
    if (delayMs === 0) return 0;
    const waitMs = delayMs + limitJitterMs(random);
    if (waitMs < scope.remainingMs) return waitMs;
    throw clientErrors.E_RATE_LIMITED({ ...scope.facts(), retryAfterMs: Math.ceil(delayMs) });
  }

  /** Throws when the call must not go on. */
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

  async #attempt(scope: CallScope): Promise<Verdict> {
    const { clock, connections, token } = this.#options;
    const { origin, lane, method, path, headers, body, headersMs, bodyMs } = scope.plan;
    scope.attempts += 1;
    const exchange = new MockableExchange(clock, {
      deadlineAtMs: scope.deadlineAtMs,
      headersMs,
      bodyMs,
    });
    const request = {
      origin,
      path,
      method,
      headers,
      body,
      headersTimeout: 0,
      bodyTimeout: 0,
    } as const;
    exchange.start(connections.to(origin, lane), request);
    const result = await scope.during(exchange.result, () => exchange.interrupt());
    return judge(result, scope, token);
  }

  /** Returns when the request may be sent again, else throws the call's error. */
  async #recover(verdict: Exclude<Verdict, { kind: 'accepted' }>, scope: CallScope): Promise<void> {
    switch (verdict.kind) {
      case 'failed':
        throw verdict.error;
      case 'unauthorized':
        this.#refuseToken(verdict.answer);
        throw clientErrors.E_UNAUTHORIZED({
          ...scope.facts(verdict.requestId),
          answer: verdict.answer,
        });
      case 'limited':
        this.#pause(verdict, scope);
        return;
      case 'fault':
        await this.#backOff(verdict, scope);
    }
  }

  #refuseToken(answer: string): void {
    this.#refused = answer;
    for (const scope of this.#active) scope.interruptWait({ why: 'unauthorized' });
  }

  #pause(verdict: Extract<Verdict, { kind: 'limited' }>, scope: CallScope): void {
    const { limiter, log } = this.#options;
    const { retryAfterMs, requestId } = verdict;
    limiter.pause(scope.plan.bucket, retryAfterMs);
    log.warn({ ...scope.facts(requestId), retryAfterMs }, 'rate limited by the platform');
    if (retryAfterMs >= scope.remainingMs) {
      throw clientErrors.E_RATE_LIMITED({ ...scope.facts(requestId), retryAfterMs });
    }
  }

  async #backOff(verdict: Extract<Verdict, { kind: 'fault' }>, scope: CallScope): Promise<void> {
    const { random, log } = this.#options;
    scope.faults += 1;
    scope.maybeSent ||= verdict.maybeSent;
    const waitMs = Math.max(verdict.afterMs, backoffMs(scope.faults, random));
    const again = mayTryAgain(scope.plan.retry, scope.maybeSent, scope.faults);
    if (!again || waitMs >= scope.remainingMs) throw verdict.error;
    const error: VirguleError = verdict.error;
    log.warn({ ...scope.facts(), waitMs: Math.round(waitMs), code: error.code }, error.message);
    await scope.wait(waitMs);
  }
}
