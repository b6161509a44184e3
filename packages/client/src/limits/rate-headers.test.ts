import { describe, expect, it } from 'vitest';
import { readRateHeaders } from './rate-headers.js';

describe('readRateHeaders', () => {
  it('reads the three of the platform document', () => {
    const headers = {
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': ' 1764230400 ',
    };
    expect(readRateHeaders(headers)).toEqual({ limit: 5, remaining: 0, reset: 1_764_230_400 });
  });

  it.each(['', 'many', '-1', '1.5', '1e3', '1'.repeat(16), '0x10'])(
    'takes %j for absent',
    (value) => {
      expect(readRateHeaders({ 'x-ratelimit-remaining': value })).toEqual({});
    },
  );

  it('takes the first of several, and does not believe a limit of 0', () => {
    const headers = { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': ['3', '9'] };
    expect(readRateHeaders(headers)).toEqual({ remaining: 3 });
  });

  it('says nothing about an answer without them', () => {
    expect(readRateHeaders({ 'content-type': 'application/json' })).toEqual({});
  });
});
