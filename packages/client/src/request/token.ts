import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { clientErrors } from '../errors/client-errors.js';
import { isShuttingDown } from '../errors/error-guards.js';
import type { RequestPlan } from './call.js';

/** What refuses a token that no header can carry: the platform need not be asked. */
export const NO_TOKEN = 'it is empty or has characters no token has';

/** Returns the token as it is sent. Pasted blanks and a pasted `Bot ` in front are removed, and that is logged. */
export function cleanToken(token: string, log: Log): string {
  // A variable of the environment that is not set: refused by the first call, as an empty token is.
  if (typeof token !== 'string') return '';
  const clean = token.trim().replace(/^Bot\s+/i, '');
  if (clean !== token) log.warn({}, 'removed whitespace or "Bot " around the bot token');
  return clean;
}

export function isSendable(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

/** `text` without the token, for texts that others wrote and that end up in errors and logs. */
export function redact(text: string, token: string): string {
  return token === '' ? text : text.replaceAll(token, '[token]');
}

/** Whether the platform accepts the bot token. Once it is refused, that is final. */
export class TokenState {
  /** What refused the token, such as `GET /users/@me answered 401`. */
  answer: string | undefined;
  readonly #refusal = new AbortController();
  readonly #check: RequestPlan;
  readonly #send: (check: RequestPlan) => Promise<unknown>;
  readonly #log: Log;
  #isChecking = false;

  /** `check` is a request that shows whether the token is valid, and `send` sends it. */
  constructor(check: RequestPlan, send: (check: RequestPlan) => Promise<unknown>, log: Log) {
    this.#check = check;
    this.#send = send;
    this.#log = log;
  }

  /** Aborted once the token is refused. */
  get refused(): AbortSignal {
    return this.#refusal.signal;
  }

  refuse(answer: string): void {
    if (this.answer !== undefined) return;
    this.answer = answer;
    const { endpoint, route } = this.#check;
    const details = { endpoint, route, attempts: 0, elapsedMs: 0, answer };
    this.#refusal.abort(clientErrors.E_UNAUTHORIZED(details));
  }

  /** A request was answered 401. That may be a mistake of a proxy: another request shows whether it is about the token. */
  doubt(answer: string, endpoint: string): void {
    if (endpoint === this.#check.endpoint) this.refuse(answer);
    else if (!this.#isChecking) void this.#ask();
  }

  /** Never rejects. */
  async #ask(): Promise<void> {
    this.#isChecking = true;
    try {
      await this.#send(this.#check);
      this.#log.warn({}, 'a request was answered 401, but the bot token is valid');
    } catch (error) {
      if (isShuttingDown(error)) return;
      // The call that was refused may be one that no code waits for.
      const { answer } = this;
      if (answer !== undefined) {
        this.#log.error({ answer }, 'the bot token was refused; no more requests are sent');
        return;
      }
      const details = { error: errorText(error) };
      this.#log.warn(details, 'a request was answered 401, and the bot token could not be checked');
    } finally {
      this.#isChecking = false;
    }
  }
}
