import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { reportRateLimits } from './report-rate-limits.js';

function start() {
  const clock = createFakeClock();
  const lines: string[] = [];
  let untilMs = 0;
  const waits = reportRateLimits(
    clock,
    () => Math.max(0, untilMs - clock.monotonic()),
    (line) => lines.push(line),
  );
  return { clock, lines, waits, pause: (ms: number) => (untilMs = clock.monotonic() + ms) };
}

describe('reportRateLimits', () => {
  it('says once what is waited for, and how long', async () => {
    const { clock, lines, pause } = start();
    await clock.advance(2_000);
    expect(lines).toEqual([]);
    pause(12_000);
    await clock.advance(12_000);
    expect(lines).toEqual(['The platform asks to wait (rate limit): continuing in 12 s.']);
    await clock.advance(1_000);
    pause(5_000);
    await clock.advance(5_000);
    expect(lines).toHaveLength(2);
  });

  it('does not report a pause that ends in a moment', async () => {
    const { clock, lines, pause } = start();
    pause(900);
    await clock.advance(2_000);
    expect(lines).toEqual([]);
  });

  it('reports nothing once the command has ended', async () => {
    const { clock, lines, waits, pause } = start();
    waits[Symbol.dispose]();
    pause(10_000);
    await clock.advance(10_000);
    expect(lines).toEqual([]);
  });
});
