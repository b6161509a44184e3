import { describe, expect, it } from 'vitest';
import { summariseNews } from './announcement.js';

describe('summariseNews', () => {
  it('says one or two things in full', () => {
    expect(summariseNews([])).toBe('');
    expect(summariseNews(['Ada: hi'])).toBe('Ada: hi');
    expect(summariseNews(['Ada: hi', 'Bot: yes'])).toBe('Ada: hi. Bot: yes');
  });

  it('counts more, and cuts what is long', () => {
    expect(summariseNews(['a', 'b', 'c'])).toBe('3 new, the last: c');
    expect(summariseNews(['x'.repeat(300)])).toHaveLength(201);
  });
});
