import { describe, expect, it } from 'vitest';
import { readSavedPauses } from './saved-pauses.js';

const NOW_MS = 1_000_000;
const PAUSE = { route: 'messages.send', major: 'a', pausedForMs: 9_000 };

describe('readSavedPauses', () => {
  it('takes off what is over meanwhile', () => {
    const state = { savedAtMs: NOW_MS - 4_000, pauses: [PAUSE, { ...PAUSE, pausedForMs: 4_000 }] };
    expect(readSavedPauses(state, NOW_MS)).toEqual([{ ...PAUSE, pausedForMs: 5_000 }]);
  });

  it('believes an hour at most', () => {
    const state = { savedAtMs: NOW_MS, pauses: [{ ...PAUSE, pausedForMs: 1e12 }] };
    expect(readSavedPauses(state, NOW_MS)).toEqual([{ ...PAUSE, pausedForMs: 3_600_000 }]);
  });

  it.each([
    null,
    'text',
    {},
    { savedAtMs: NOW_MS + 1, pauses: [PAUSE] },
    { savedAtMs: '1', pauses: [PAUSE] },
    { savedAtMs: Number.NaN, pauses: [PAUSE] },
    { savedAtMs: NOW_MS, pauses: PAUSE },
    ...[
      { ...PAUSE, route: 1 },
      { ...PAUSE, major: undefined },
      { ...PAUSE, pausedForMs: '9000' },
      { ...PAUSE, pausedForMs: Number.NaN },
      { ...PAUSE, pausedForMs: -1 },
      null,
    ].map((pause) => ({ savedAtMs: NOW_MS, pauses: [pause] })),
  ])('finds none in %j', (state) => {
    expect(readSavedPauses(state, NOW_MS)).toEqual([]);
  });
});
