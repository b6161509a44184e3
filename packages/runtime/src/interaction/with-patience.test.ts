import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { rateLimited, refused } from '../../test/client-failures.js';
import { withPatience } from './with-patience.js';

function start(outcomes: readonly unknown[]) {
  const clock = createFakeClock();
  const abort = new AbortController();
  let tries = 0;
  const result = withPatience(
    async () => {
      const outcome = outcomes[tries];
      tries += 1;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    { clock, intervalMs: 250, signal: abort.signal },
  );
  result.catch(() => {});
  return {
    clock,
    abort,
    result,
    get tries() {
      return tries;
    },
  };
}

describe('withPatience', () => {
  it('gives what the call gives', async () => {
    expect(await start(['done']).result).toBe('done');
  });

  it('calls again after the time that the platform asks for, as often as it asks', async () => {
    const test = start([rateLimited(), rateLimited(), 'done']);
    await test.clock.advance(59_999);
    expect(test.tries).toBe(1);
    await test.clock.advance(60_001);
    expect([await test.result, test.tries]).toEqual(['done', 3]);
  });

  it('never calls again and again without a pause', async () => {
    const impatient = rateLimited();
    Object.assign(impatient.details, { retryAfterMs: 0 });
    const test = start([impatient, 'done']);
    await test.clock.advance(249);
    expect(test.tries).toBe(1);
    await test.clock.advance(1);
    expect(await test.result).toBe('done');
  });

  it('passes on every other failure at once', async () => {
    const test = start([refused(500), 'done']);
    await expect(test.result).rejects.toMatchObject({ code: 'E_API_REFUSED' });
    expect(test.tries).toBe(1);
  });

  it('ends with the reason of its signal', async () => {
    const test = start([rateLimited(), 'done']);
    await test.clock.advance(10);
    test.abort.abort(new Error('stopped'));
    await expect(test.result).rejects.toThrow('stopped');
    expect([test.tries, test.clock.pending]).toEqual([1, 0]);
  });
});
