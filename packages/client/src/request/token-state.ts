import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { clientErrors } from '../errors/client-errors.js';
import { isShuttingDown } from '../errors/error-guards.js';
import type { RequestPlan } from './request-plan.js';

export interface TokenStateOptions {
  readonly log: Log;
  /** A request that shows whether the token is valid. */
  readonly check: RequestPlan;
  /** Sends it. */
  readonly send: (check: RequestPlan) => Promise<unknown>;
  /** Called once, when the token is refused. */
  readonly onRefused: () => void;
}

/** Whether the platform accepts the bot token. Once it is refused, that is final. */
export class TokenState {
  readonly #options: TokenStateOptions;
  readonly #refusal = new AbortController();
  #answer: string | undefined;
  #isChecking = false;

  constructor(options: TokenStateOptions) {
    this.#options = options;
  }

  /** What refused the token, such as `GET /users/@me answered 401`. */
  get answer(): string | undefined {
    return this.#answer;
  }

  /** Aborted once the token is refused. */
  get refused(): AbortSignal {
    return this.#refusal.signal;
  }

  refuse(answer: string): void {
    if (this.#answer !== undefined) return;
    this.#answer = answer;
    this.#options.onRefused();
    const { endpoint, route } = this.#options.check;
    const facts = { endpoint, route, attempts: 0, elapsedMs: 0 };
    this.#refusal.abort(clientErrors.E_UNAUTHORIZED({ ...facts, answer }));
  }

  /** A request was answered 401. That may be a mistake of a proxy: another request shows whether it is about the token. */
  doubt(answer: string, endpoint: string): void {
    if (endpoint === this.#options.check.endpoint) this.refuse(answer);
    else if (!this.#isChecking) void this.#check();
  }

  /** Never rejects. */
  async #check(): Promise<void> {
    const { log, check, send } = this.#options;
    this.#isChecking = true;
    try {
      await send(check);
      log.warn({}, 'a request was answered 401, but the bot token is valid');
    } catch (error) {
      if (isShuttingDown(error)) return;
      // The call that was refused may be one that no code waits for.
      if (this.#answer === undefined) {
        const details = { error: errorText(error) };
        log.warn(details, 'a request was answered 401, and the bot token could not be checked');
      } else {
        log.error({ answer: this.#answer }, 'the bot token was refused; no more requests are sent');
      }
    } finally {
      this.#isChecking = false;
    }
  }
}
