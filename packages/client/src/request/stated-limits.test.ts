import { describe, expect, it } from 'vitest';
import { limitJitterMs, limitWaitMs, statedLimit, statedWaitMs } from './stated-limits.js';

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

describe('limitWaitMs', () => {
  it.each([
    [undefined, 5_000],
    [0, 1_000],
    [999, 1_000],
    [1_500, 1_500],
  ])('waits after a 429 that states %s ms for %i ms', (statedMs, expectedMs) => {
    expect(limitWaitMs(statedMs)).toBe(expectedMs);
  });
});

describe('limitJitterMs', () => {
  it('adds up to 250 ms, to a short wait a tenth of it, and never takes any away', () => {
    expect([0, 0.5, 1].map((chance) => limitJitterMs(60_000, () => chance))).toEqual([0, 125, 250]);
    expect([0, 0.5, 1].map((chance) => limitJitterMs(1_000, () => chance))).toEqual([0, 50, 100]);
  });
});

describe('statedLimit', () => {
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
  ])('reads %j as %s', (value, expected) => {
    expect(statedLimit(value)).toBe(expected);
  });
});
