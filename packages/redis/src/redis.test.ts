import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { redis } from './redis.js';

describe('redis', () => {
  it.each([
    [undefined, {}, 'REDIS_URL is not set'],
    [undefined, { REDIS_URL: 'localhost' }, 'the value is not a URL of Redis'],
    ['http://localhost', {}, 'the value is not a URL of Redis'],
  ])('refuses the URL %j with the environment %j', async (url, env, reason) => {
    const scale = redis({ url });
    const opening = scale.open({
      env,
      applicationId: 'a',
      maxAgeMs: 1,
      clock: createFakeClock(),
      log: silentLog,
      wait: true,
      signal: new AbortController().signal,
      hide: () => {},
    });
    const error: unknown = await opening.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'E_REDIS_URL', details: { reason } });
    expect(scale.isUnusable?.(error)).toBe(true);
  });
});
