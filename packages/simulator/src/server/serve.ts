import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { API_ERROR_CODES, type ApiErrorBody, type Profile } from '@virgule/core/protocol';
import { Refusal } from '../world/refusal.js';
import { emptyAnswer, jsonAnswer, type Answer, type Exchange, type Incoming } from './exchange.js';

const NO_QUERY = new URLSearchParams();

interface Request extends Pick<Incoming, 'headers' | 'origin'> {
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** Reads the body. @throws Refusal if the body is larger than `maxBytes`. */
  readonly read: (maxBytes: number) => Promise<Buffer>;
}

export type Serve = ReturnType<typeof createServe>;

/** Creates the function that answers a request, and then calls `onExchange`. */
export function createServe(
  { clock, log, profile }: { readonly clock: Clock; readonly log: Log; readonly profile: Profile },
  onExchange: (exchange: Exchange) => void,
) {
  let count = 0;
  return async (
    { method = 'GET', url = '/', headers, origin, read }: Request,
    answer: (incoming: Incoming) => Promise<Answer>,
  ): Promise<Answer> => {
    const startedMs = clock.monotonic();
    count += 1;
    let body: Buffer | undefined;
    const path = pathOf(url);
    const requestId = `sim-${count.toString(16).padStart(8, '0')}`;
    const incoming: Incoming = {
      method,
      path,
      // Most requests have no query.
      query: path.length === url.length ? NO_QUERY : new URLSearchParams(url.slice(path.length)),
      headers,
      origin,
      requestId,
      body: async (maxBytes) => (body = await read(maxBytes)),
    };
    const result = await answer(incoming).catch((error: unknown) => {
      if (!(error instanceof Refusal)) {
        log.error({ error, requestId }, 'failed to handle a request');
        const bug = new Refusal(500, 'sim_internal_error', 'The simulator failed. See its log.');
        return refusalAnswer(bug, requestId);
      }
      const isValidation = error.code === API_ERROR_CODES.validation;
      const status = isValidation ? profile.refusals.validationStatus : error.status;
      return refusalAnswer(error, requestId, status);
    });
    // The path of a file is secret: every caller who knows the path can read the file.
    const logged = path.startsWith('/_files/') ? '/_files/…' : path;
    const tookMs = clock.monotonic() - startedMs;
    log.debug({ requestId, method, path: logged, status: result.status, tookMs }, 'request');
    onExchange({ incoming, body, answer: result, tookMs });
    return result;
  };
}

export function pathOf(url = '/'): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Returns the error response of a refusal ("Errors"). A profile may replace an error with an empty success. */
export function refusalAnswer(refusal: Refusal, requestId: string, status = refusal.status) {
  const { code, message, details } = refusal;
  if (status < 400) return emptyAnswer(status);
  return jsonAnswer(status, { code, message, details, requestId } satisfies ApiErrorBody);
}
