import { describe, expect, it } from 'vitest';
import { summarizeNews } from './announcement.js';

describe('summarizeNews', () => {
  it('says one or two things in full', () => {
    expect(summarizeNews([])).toBe('');
    expect(summarizeNews(['Ada: hi'])).toBe('Ada: hi');
    expect(summarizeNews(['Ada: hi', 'Bot: yes'])).toBe('Ada: hi. Bot: yes');
  });

  it('counts more, and cuts what is long', () => {
    expect(summarizeNews(['a', 'b', 'c'])).toBe('3 new, the last: c');
    expect(summarizeNews(['x'.repeat(300)])).toHaveLength(201);
  });
});
