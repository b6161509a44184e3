import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { CircuitBreaker, type NetworkOutcome } from './circuit-breaker.js';

function end(breaker: CircuitBreaker, outcome: NetworkOutcome, route = 'a'): void {
  breaker.take(route);
  breaker.release(outcome, route);
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
    expect(breaker.ask('a')).toBe('go');
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
    expect(breaker.ask('a')).toBe(clock.monotonic() + afterMs);
    await clock.advance(afterMs);
    expect(breaker.ask('a')).toBe('go');
    breaker.take('a');
    expect(breaker.ask('a')).toBe(clock.monotonic() + afterMs);
  });

  it('closes with any answer, and waits again after another fault', async () => {
    const { clock, breaker } = opened();
    await clock.advance(1_000);
    end(breaker, 'fault');
    expect(breaker.ask('a')).toBe(clock.monotonic() + 1_000);
    await clock.advance(1_000);
    end(breaker, 'answered');
    expect(breaker.ask('a')).toBe('go');
    expect(breaker.faults).toBe(0);
  });

  it('lets the next probe go a second later, whatever became of the last: it may hang', async () => {
    const { clock, breaker } = opened();
    await clock.advance(1_000);
    breaker.take('a');
    await clock.advance(500);
    // An answer to a command that goes before the probe is due is none.
    breaker.take('a');
    await clock.advance(500);
    expect(breaker.ask('a')).toBe('go');
    breaker.take('a');
    breaker.release('unknown', 'a');
    await clock.advance(1_000);
    expect(breaker.ask('a')).toBe('go');
  });

  it('counts nine outages of a single route for all: two routes hold everything back', () => {
    const clock = createFakeClock();
    const breaker = new CircuitBreaker(clock, () => 0);
    for (let fault = 0; fault < 30; fault += 1) end(breaker, 'outage', 'a');
    expect([breaker.faults, breaker.isOpen]).toEqual([9, false]);
    expect(['a', 'b'].map((route) => breaker.ask(route) === 'go')).toEqual([false, true]);
    end(breaker, 'unknown', 'b');
    expect(breaker.isOpen).toBe(false);
    end(breaker, 'outage', 'b');
    expect([breaker.isOpen, breaker.ask('c')]).toEqual([true, clock.monotonic() + 1_000]);
  });

  it('sends one probe of a route that is held back, also while it hangs', async () => {
    const clock = createFakeClock();
    const breaker = new CircuitBreaker(clock, () => 0);
    for (let fault = 0; fault < 10; fault += 1) end(breaker, 'outage', 'a');
    await clock.advance(1_000);
    expect(breaker.ask('a')).toBe('go');
    breaker.take('a');
    expect(breaker.ask('a')).toBe(clock.monotonic() + 1_000);
  });

  /** A breaker of a platform that lacks routes, with an answer of another route after their outages. */
  async function lacking(...missing: readonly string[]) {
    const clock = createFakeClock();
    const breaker = new CircuitBreaker(clock, () => 0);
    const fail = (routes: readonly string[], count: number): void => {
      for (let fault = 0; fault < count; fault += 1)
        for (const route of routes) end(breaker, 'outage', route);
    };
    fail(missing, 30);
    const wasOpen = breaker.isOpen;
    await clock.advance(1_000);
    end(breaker, 'answered', 'well');
    return { clock, breaker, fail, wasOpen };
  }

  it('counts routes that others outlast no more', async () => {
    const missing = ['a', 'b', 'c'];
    const { breaker, fail, wasOpen } = await lacking(...missing);
    expect(wasOpen).toBe(true);
    fail(missing, 30);
    expect([breaker.faults, breaker.ask('well')]).toEqual([0, 'go']);
    expect(missing.map((route) => breaker.ask(route))).not.toContain('go');
  });

  it('sees an outage of all routes although some were missing, which probe last', async () => {
    const { clock, breaker, fail } = await lacking('a');
    fail(['well'], 10);
    expect(breaker.isOpen).toBe(true);
    const openAfter = async (ms: number) => {
      await clock.advance(ms);
      return ['new', 'well', 'a'].filter((route) => breaker.ask(route) === 'go');
    };
    expect(await openAfter(999)).toEqual([]);
    expect(await openAfter(1)).toEqual(['new']);
    expect(await openAfter(99)).toEqual(['new']);
    expect(await openAfter(1)).toEqual(['new', 'well']);
    expect(await openAfter(99)).toEqual(['new', 'well']);
    expect(await openAfter(1)).toEqual(['new', 'well', 'a']);
  });

  // Answers may be in flight when all begin.
  it.each([1, 9])('takes no route for missing after %i outages', (outages) => {
    const breaker = new CircuitBreaker(createFakeClock(), () => 0);
    const fail = (times: number): void => {
      for (let fault = 0; fault < times; fault += 1)
        for (const route of ['a', 'b']) end(breaker, 'outage', route);
    };
    fail(outages);
    end(breaker, 'answered', 'slow');
    fail(5);
    expect(breaker.isOpen).toBe(true);
  });

  it('lets routes with outages probe at once at every second probe: others may never be answered', async () => {
    const { clock, breaker, fail } = await lacking('a');
    fail(['well'], 10);
    const probes: string[] = [];
    for (let ms = 0; ms < 4_000; ms += 100) {
      await clock.advance(100);
      for (const route of ['well', 'resets']) {
        if (breaker.ask(route) !== 'go') continue;
        probes.push(route);
        end(breaker, route === 'well' ? 'outage' : 'fault', route);
      }
    }
    expect(probes).toEqual(['resets', 'well', 'resets', 'well']);
  });

  it('counts a route again after an answer', async () => {
    const { breaker, fail } = await lacking('a', 'b');
    for (const route of ['a', 'b']) end(breaker, 'answered', route);
    fail(['a', 'b'], 5);
    expect(breaker.isOpen).toBe(true);
  });

  it('forgets routes above a thousand', () => {
    const breaker = new CircuitBreaker(createFakeClock(), () => 0);
    for (let fault = 0; fault < 10; fault += 1) end(breaker, 'outage', 'first');
    const waits = () => breaker.ask('first') !== 'go';
    for (let route = 0; route < 400; route += 1) {
      end(breaker, 'outage', `r${route}`);
      end(breaker, 'answered', 'well');
    }
    expect(waits()).toBe(true);
    for (let route = 0; route < 2_000; route += 1) {
      end(breaker, 'outage', `s${route}`);
      end(breaker, 'answered', 'well');
    }
    expect(waits()).toBe(false);
  });

  it('holds back only the route whose outages others do not share', async () => {
    const clock = createFakeClock();
    const breaker = new CircuitBreaker(clock, () => 0);
    for (let fault = 0; fault < 10; fault += 1) {
      end(breaker, 'outage', 'a');
      end(breaker, 'answered', 'b');
    }
    expect([breaker.isOpen, breaker.ask('b')]).toEqual([false, 'go']);
    expect(breaker.ask('a')).toBe(clock.monotonic() + 1_000);
    await clock.advance(1_000);
    end(breaker, 'answered', 'a');
    expect(breaker.ask('a')).toBe('go');
  });
});
