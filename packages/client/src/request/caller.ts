import { createDeadlines, retryPauseMs, settlesWithin, type Deadlines } from '@virgule/core/clock';
import { Roster } from '@virgule/core/collections';
import { errorText, type VirguleError } from '@virgule/core/errors';
import { clientErrors } from '../errors/client-errors.js';
import { isShuttingDown } from '../errors/error-guards.js';
import type { RestSettings } from '../rest/rest-options.js';
import { Call, type RequestPlan, type SendOptions } from './call.js';
import { Exchange } from './exchange.js';
import {
  endOf,
  interruptionError,
  isRepeatHarmless,
  judge,
  refusalError,
  UNSENT,
  type Verdict,
} from './outcome.js';
import type { Pools } from './pool.js';
import { Queue, type LimitsSnapshot } from './queue.js';
import type { RateLimits } from './rate-limits.js';
import { isSendable, NO_TOKEN } from './token.js';

/**
 * Maximum number of tries of a request that may have been sent, and of logged faults. Unsent requests have no maximum, nor
 * have requests that are harmless to repeat during an outage.
 */
const MAX_TRIES = 3;

/** Time without foreign answers after which the next foreign answer is reported again, in milliseconds. */
const FOREIGN_APART_MS = 60_000;

/** Time limit to check the token, in milliseconds. */
const TOKEN_CHECK_MS = 10_000;

/** Time that `close()` waits for requests in flight, in milliseconds. */
const DRAIN_MS = 5_000;

type Settings = Pick<RestSettings, 'clock' | 'random' | 'log' | 'token' | 'maxTries' | 'onBody'>;

export interface CallerOptions extends Settings {
  readonly pools: Pools;
  readonly limits: RateLimits;
  /** Request to check the token. */
  readonly tokenCheck: RequestPlan;
}

/** Runs a call of an endpoint once, and returns its promise. */
type CallWatch = <Result>(endpoint: string, run: () => Promise<Result>) => Promise<Result>;

export type Accepted = Extract<Verdict, { kind: 'accepted' }>;

/** Executes calls: waits for limits, sends requests, retries, and settles each call once. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #active = new Roster<Call>();
  /** Deadlines of all exchanges in flight. */
  readonly #deadlines: Deadlines;
  readonly #queue: Queue;
  /** Aborted once the token is refused, which is final. */
  readonly #refusal = new AbortController();
  /** Source of the refusal of the token, such as `GET /users/@me answered 401`. */
  #refusedBy: string | undefined;
  #isCheckingToken = false;
  /** Time of the last foreign answer, by `Clock.monotonic()`. */
  #foreignAtMs = Number.NEGATIVE_INFINITY;
  /** Runs each call, if set. */
  watch: CallWatch | undefined;
  #closing: Promise<void> | undefined;
  #idle: (() => void) | undefined;

  constructor(options: CallerOptions) {
    this.#options = options;
    const { clock, random, limits, token } = options;
    this.#deadlines = createDeadlines(clock);
    this.#queue = new Queue(clock, random, limits);
    if (!isSendable(token)) this.#refuseToken(NO_TOKEN);
  }

  get tokenRefused(): AbortSignal {
    return this.#refusal.signal;
  }

  limits(): LimitsSnapshot {
    return this.#queue.snapshot();
  }

  send(plan: RequestPlan, options: SendOptions): Promise<Accepted> {
    if (!this.watch) return this.#send(plan, options);
    // The name of a raw request is its path, which may contain words of users.
    const name = plan.endpoint.replace(/^\S+ .*/, 'request');
    return this.watch(name, () => this.#send(plan, options));
  }

  async #send(plan: RequestPlan, options: SendOptions): Promise<Accepted> {
    const call = new Call(plan, this.#options.clock, options);
    const { clock } = this.#options;
    this.#active.add(call);
    try {
      let nowMs = call.startMs;
      for (;;) {
        this.#check(call, nowMs);
        // A call that may go at once awaits nothing, so no interruption can come in between.
        const queued = this.#queue.admit(call);
        if (queued) {
          const refusal = await call.waitFor(queued, () => this.#queue.cancel(call));
          if (refusal && !call.interruption) throw refusalError(refusal, call);
          nowMs = clock.monotonic();
        }
        let verdict: Verdict;
        let end = UNSENT;
        // The permit is released in every case.
        try {
          // The call may have been interrupted since its admission.
          if (queued) this.#check(call, nowMs);
          call.attempts += 1;
          const exchange = this.#exchange(call, nowMs);
          call.begin(() => exchange.interrupt());
          const result = await exchange.result;
          call.leave();
          verdict = judge(result, call, this.#options);
          end = endOf(result, verdict);
        } finally {
          this.#queue.release(call, end);
        }
        if (verdict.kind === 'accepted') return verdict;
        await this.#recover(verdict, call);
        this.#reportRetry(options);
        nowMs = clock.monotonic();
      }
    } finally {
      this.#queue.end(call);
      call.end();
      this.#active.delete(call);
      if (this.#active.size === 0) this.#idle?.();
    }
  }

  #reportRetry({ onRetry }: SendOptions): void {
    const warn = (error: unknown): void =>
      this.#options.log.warn({ error: errorText(error) }, 'onRetry threw; the call continues');
    // An async function turns a thrown error into a rejection.
    const report = async (): Promise<void> => onRetry?.();
    report().catch(warn);
  }

  /** Ends waiting calls, waits up to 5 s for calls in flight, then closes the connections. */
  close(): Promise<void> {
    return (this.#closing ??= this.#drain());
  }

  async #drain(): Promise<void> {
    const { clock, pools } = this.#options;
    for (const call of this.#active.all()) call.interruptWait('closing');
    if (this.#active.size > 0) {
      const idle = new Promise<void>((resolve) => (this.#idle = resolve));
      await settlesWithin(idle, DRAIN_MS, clock);
      for (const call of this.#active.all()) call.interrupt('closing');
    }
    this.#deadlines.clear();
    await pools.destroy();
  }

  #check(call: Call, nowMs = this.#options.clock.monotonic()): void {
    if (this.#closing) call.interruption ??= 'closing';
    if (call.interruption !== 'aborted' && this.#refusedBy !== undefined)
      throw clientErrors.E_UNAUTHORIZED({ ...call.facts(), answer: this.#refusedBy });
    const { maybeSent } = call;
    if (call.interruption) throw interruptionError(call, 'waiting', maybeSent);
    if (nowMs >= call.deadlineAtMs)
      throw (
        call.lastFault ?? clientErrors.E_TIMEOUT({ ...call.facts(), phase: 'waiting', maybeSent })
      );
  }

  #exchange({ plan, deadlineAtMs }: Call, startMs: number): Exchange {
    const { origin, lane, method, path, headers, body, patienceMs } = plan;
    const deadlines = this.#deadlines;
    const exchange = new Exchange({ deadlines, startMs, patienceMs, deadlineAtMs });
    const content =
      typeof body === 'function' ? body((withinMs) => exchange.expectProgress(withinMs)) : body;
    this.#options.pools.dispatch({ origin, path, method, headers, body: content }, lane, exchange);
    return exchange;
  }

  /** Resolves when the request may be sent again. Throws the error of the call if it has failed. */
  async #recover(verdict: Exclude<Verdict, { kind: 'accepted' }>, call: Call): Promise<void> {
    switch (verdict.kind) {
      case 'failed':
        throw verdict.error;
      case 'unauthorized': {
        const { answer, requestId } = verdict;
        // A proxy may have sent the 401, so another request checks the token.
        if (call.plan.endpoint === this.#options.tokenCheck.endpoint) this.#refuseToken(answer);
        else void this.#checkToken();
        throw clientErrors.E_UNAUTHORIZED({ ...call.facts(requestId), answer });
      }
      case 'limited': {
        const details = { ...call.facts(verdict.requestId), retryAfterMs: verdict.retryAfterMs };
        this.#options.log.warn(details, 'rate limited by the platform');
        const { maybeSent } = call;
        if (details.retryAfterMs >= call.remainingMs)
          throw clientErrors.E_RATE_LIMITED({ ...details, maybeSent });
        return;
      }
      case 'fault':
        // Without a free file descriptor, the call waits for the end of another request.
        if (verdict.isFull && call.lane?.inFlight) return;
        await this.#backOff(verdict, call);
    }
  }

  #refuseToken(answer: string): void {
    if (this.#refusedBy !== undefined) return;
    this.#refusedBy = answer;
    const { endpoint, route } = this.#options.tokenCheck;
    const details = { endpoint, route, attempts: 0, elapsedMs: 0, answer };
    this.#refusal.abort(clientErrors.E_UNAUTHORIZED(details));
    for (const call of this.#active.all()) call.interruptWait('unauthorized');
  }

  /** Checks the token and logs the result. Never rejects. */
  async #checkToken(): Promise<void> {
    if (this.#isCheckingToken) return;
    this.#isCheckingToken = true;
    const { tokenCheck, log } = this.#options;
    try {
      await this.send(tokenCheck, { deadlineMs: TOKEN_CHECK_MS });
      log.warn({}, 'a request was answered 401, but the bot token is valid');
    } catch (error) {
      if (isShuttingDown(error)) return;
      const answer = this.#refusedBy;
      // The caller may ignore the error of the refused call, so the refusal is logged.
      if (answer !== undefined)
        log.error({ answer }, 'the bot token was refused; no more requests are sent');
      else {
        const details = { error: errorText(error) };
        log.warn(details, 'a request was answered 401, and the bot token could not be checked');
      }
    } finally {
      this.#isCheckingToken = false;
    }
  }

  /** Logs a single warning for a series of foreign answers. */
  #noteForeign({ details }: VirguleError): void {
    const { clock, log } = this.#options;
    const nowMs = clock.monotonic();
    if (nowMs - this.#foreignAtMs > FOREIGN_APART_MS) {
      const { route, status, answeredWith } = details;
      const line = `${String(answeredWith)} came in place of an answer of the platform`;
      log.warn({ route, status }, line);
    }
    this.#foreignAtMs = nowMs;
  }

  async #backOff(verdict: Extract<Verdict, { kind: 'fault' }>, call: Call): Promise<void> {
    const { random, log, maxTries } = this.#options;
    const { isAway, outage, error, afterMs } = verdict;
    const isForeign = outage === 'foreign';
    if (isForeign) this.#noteForeign(error);
    call.faults += 1;
    call.lastFault = error;
    call.maybeSent ||= verdict.maybeSent;
    if (verdict.maybeSent && !isAway) call.sentTries += 1;
    const pauseMs = retryPauseMs(call.faults, call.remainingMs, random());
    // The platform itself answers with errors: a caller that repeats its calls decides about the wait.
    const isLeftToCaller = call.isRetry && isAway && !outage;
    const isAllowed =
      !call.maybeSent ||
      (isRepeatHarmless(call.plan.retry) && (isAway || call.sentTries < MAX_TRIES));
    const again = isAllowed && !isLeftToCaller && call.faults < maxTries;
    if (!again || pauseMs === undefined || afterMs >= call.remainingMs) throw error;
    const waitMs = Math.max(afterMs, pauseMs);
    // The first lines show the problem; a line for each try of each call would flood the log.
    if (call.faults <= MAX_TRIES && !isForeign)
      log.warn({ ...call.facts(), waitMs: Math.round(waitMs), code: error.code }, error.message);
    // A closing client does not wait for another try.
    this.#check(call);
    await call.wait(waitMs);
  }
}
