import { describe, expect, it } from 'vitest';
import { readLimit, statedWaitMs } from './stated-limits.js';

describe('statedWaitMs', () => {
  it.each([
    ['2', undefined, 2_000],
    [undefined, 3, 3_000],
    ['1', 4, 4_000],
    ['2147483648', 0, 2_147_483_648_000],
    ['0', undefined, 0],
    ['1.5', undefined, 1_500],
    [undefined, 2.25, 2_250],
    ['soon', 5, 5_000],
    ['12345678901', undefined, undefined],
    ['', '', undefined],
    [undefined, Number.NaN, undefined],
    ['soon', -1, 0],
    ['-1', undefined, 0],
    [undefined, { seconds: 2 }, undefined],
    [undefined, undefined, undefined],
  ])('reads header %j and body %j as %s ms', (header, body, expectedMs) => {
    expect(statedWaitMs(header, undefined, body)).toBe(expectedMs);
  });

  it.each([
    ['Wed, 21 Oct 2026 07:28:30 GMT', 30_000],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
    ['some day', undefined],
  ])('counts the date %s from that of the response', (header, expectedMs) => {
    expect(statedWaitMs(header, 'Wed, 21 Oct 2026 07:28:00 GMT')).toBe(expectedMs);
  });

  it('ignores a date without that of the response', () => {
    expect(statedWaitMs('Wed, 21 Oct 2026 07:28:30 GMT', undefined)).toBeUndefined();
  });
});

/** Returns the limit of a 429 with these headers. */
const limitOf = (headers: Readonly<Record<string, string | undefined>>, chance = 0) =>
  readLimit({ header: (name) => headers[name] }, undefined, () => chance);

describe('readLimit', () => {
  it.each([
    [undefined, 5_000, false],
    ['0', 1_000, true],
    ['0.999', 1_000, true],
    ['1.5', 1_500, true],
  ])('waits after a 429 that states %s s for %i ms', (seconds, retryAfterMs, stated) => {
    expect(limitOf({ 'retry-after': seconds })).toMatchObject({ retryAfterMs, stated });
  });

  it('adds up to 250 ms, to a short wait a tenth of it, and never takes any away', () => {
    const jitter = (seconds: string): number[] =>
      [0, 0.5, 1].map((chance) => limitOf({ 'retry-after': seconds }, chance).jitterMs);
    expect([jitter('60'), jitter('1')]).toEqual([
      [0, 125, 250],
      [0, 50, 100],
    ]);
  });

  it.each<[string | undefined, number | undefined]>([
    ['5', 5],
    [' 50 ', 50],
    ['0', undefined],
    ['', undefined],
    ['many', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['1'.repeat(16), undefined],
    [undefined, undefined],
  ])('reads the limit %j as %s', (header, limit) => {
    expect(limitOf({ 'x-ratelimit-limit': header }).limit).toBe(limit);
  });
});
