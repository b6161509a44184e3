import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.js';

function opened(random = 0) {
  const clock = createFakeClock();
  const breaker = new CircuitBreaker(clock, () => random);
  for (let fault = 0; fault < 10; fault += 1) breaker.release(breaker.take(), 'fault');
  return { clock, breaker };
}

describe('CircuitBreaker', () => {
  it('lets everything through until ten faults came in a row', () => {
    const breaker = new CircuitBreaker(createFakeClock(), () => 0);
    for (let fault = 0; fault < 9; fault += 1) breaker.release(breaker.take(), 'fault');
    expect(breaker.ask()).toBe('go');
    breaker.release(breaker.take(), 'answered');
    expect(breaker.faults).toBe(0);
    for (let fault = 0; fault < 9; fault += 1) breaker.release(breaker.take(), 'fault');
    expect(breaker.isOpen).toBe(false);
    breaker.release(breaker.take(), 'fault');
    expect(breaker.isOpen).toBe(true);
  });

  it.each([
    [0, 1_000],
    [0.5, 1_500],
    [1, 2_000],
  ])('lets one probe go, with chance %d after %d ms', async (random, afterMs) => {
    const { clock, breaker } = opened(random);
    expect(breaker.ask()).toBe(clock.monotonic() + afterMs);
    await clock.advance(afterMs);
    expect(breaker.ask()).toBe('go');
    expect(breaker.take()).toBe(true);
    expect(breaker.ask()).toBe('busy');
    expect(breaker.take()).toBe(false);
  });

  it('closes with any answer, and waits again after another fault', async () => {
    const { clock, breaker } = opened();
    await clock.advance(1_000);
    breaker.release(breaker.take(), 'fault');
    expect(breaker.ask()).toBe(clock.monotonic() + 1_000);
    await clock.advance(1_000);
    breaker.release(breaker.take(), 'answered');
    expect(breaker.ask()).toBe('go');
    expect(breaker.faults).toBe(0);
  });

  it('lets the next probe pass when the outcome of the last is unknown', async () => {
    const { clock, breaker } = opened();
    await clock.advance(1_000);
    breaker.release(breaker.take(), 'unknown');
    expect(breaker.ask()).toBe('go');
  });
});
