import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { CircuitBreaker, type NetworkOutcome } from './circuit-breaker.js';

function end(breaker: CircuitBreaker, outcome: NetworkOutcome): void {
  breaker.take();
  breaker.release(outcome);
}

function opened(random = 0) {
  const clock = createFakeClock();
  const breaker = new CircuitBreaker(clock, () => random);
  for (let fault = 0; fault < 10; fault += 1) end(breaker, 'fault');
  return { clock, breaker };
}

describe('CircuitBreaker', () => {
  it('lets everything through until ten faults came in a row', () => {
    const breaker = new CircuitBreaker(createFakeClock(), () => 0);
    for (let fault = 0; fault < 9; fault += 1) end(breaker, 'fault');
    expect(breaker.ask()).toBe('go');
    end(breaker, 'answered');
    expect(breaker.faults).toBe(0);
    for (let fault = 0; fault < 9; fault += 1) end(breaker, 'fault');
    expect(breaker.isOpen).toBe(false);
    end(breaker, 'fault');
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
    breaker.take();
    expect(breaker.ask()).toBe(clock.monotonic() + afterMs);
  });

  it('closes with any answer, and waits again after another fault', async () => {
    const { clock, breaker } = opened();
    await clock.advance(1_000);
    end(breaker, 'fault');
    expect(breaker.ask()).toBe(clock.monotonic() + 1_000);
    await clock.advance(1_000);
    end(breaker, 'answered');
    expect(breaker.ask()).toBe('go');
    expect(breaker.faults).toBe(0);
  });

  it('lets the next probe go a second later, whatever became of the last: it may hang', async () => {
    const { clock, breaker } = opened();
    await clock.advance(1_000);
    breaker.take();
    await clock.advance(500);
    // An answer to a command that goes before the probe is due is none.
    breaker.take();
    await clock.advance(500);
    expect(breaker.ask()).toBe('go');
    breaker.take();
    breaker.release('unknown');
    await clock.advance(1_000);
    expect(breaker.ask()).toBe('go');
  });
});
