import { describe, expect, it } from 'vitest';
import { traceRow } from '../../test/trace-rows.js';
import { readFilter } from './trace-filter.js';

const ROW = traceRow({
  what: 'POST /channels/1/messages',
  group: 'abc-1',
  status: 429,
  tookMs: 12.5,
  endpoint: 6,
  isError: true,
});

describe('readFilter', () => {
  it.each<[query: string, matches: boolean]>([
    ['', true],
    ['   ', true],
    ['post MESSAGES', true],
    ['post typing', false],
    ['"post /channels"', true],
    ['"post messages"', false],
    ['-typing', true],
    ['-post', false],
    ['status:429', true],
    ['status:>=400', true],
    ['status:<429', false],
    ['-status:>=400', false],
    ['took:>12', true],
    ['took:<=12.5', true],
    ['took:>12.5', false],
    ['endpoint:6', true],
    ['endpoint:31', false],
    ['kind:req from:bot', true],
    ['kind:frame', false],
    ['id:abc', true],
    ['is:error', true],
    ['is:ok', false],
    // Words without a known field or a number are searched for unchanged.
    ['color:red', false],
    ['status:bad', false],
    ['-', false],
    ['"', true],
  ])('%j: %s', (query, matches) => {
    expect(readFilter(query).matches(ROW)).toBe(matches);
  });

  it('has no number where a row has none', () => {
    expect(readFilter('took:<5').matches(traceRow())).toBe(false);
    expect(readFilter('-took:<5').matches(traceRow())).toBe(true);
  });
});
