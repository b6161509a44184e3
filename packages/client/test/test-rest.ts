import { silentLog } from '@virgule/core/log';
import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import { onTestFinished } from 'vitest';
import { createRest, type Rest, type RestOptions } from '@virgule/client/rest';

export const TOKEN = 'bot-token-made-up-7f3a';
export const CHANNEL = '5e9b3c17-a264-4d80-b91e-07f3c8d5624a';
export const MESSAGE = 'f06b2e94-7d51-8a3c-9740-5c1e8b6da2f3';
export const INTERACTION = '8a5c0e7f-d913-4b26-ae84-50f7b3c1d968';

/**
 * A client for a local server. Chance is fixed in the middle. It is closed when the test ends, which
 * is not waited for: with a fake clock that is not advanced it would last.
 */
export function openRest(baseUrl: string, options: Partial<RestOptions> = {}): Rest {
  const rest = createRest({
    token: TOKEN,
    baseUrl,
    random: () => 0.5,
    log: silentLog,
    ...options,
  });
  onTestFinished(() => void rest.close());
  return rest;
}

/** The error a call ends with; the test fails when it ends well or with another kind of error. */
export async function errorOf(call: Promise<unknown>): Promise<VirguleError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && isVirguleError(outcome.error)) return outcome.error;
  throw new Error('The call did not end with a VirguleError.', {
    cause: 'error' in outcome ? outcome.error : outcome.value,
  });
}
