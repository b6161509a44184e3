import { describe, expect, it } from 'vitest';
import { judgeVitals } from './judge-vitals.js';
import type { Vitals } from './vitals.js';

const WELL: Vitals = {
  phase: 'running',
  closedBy: undefined,
  isReady: true,
  readyAgeMs: 3_600_000,
  ackAgeMs: 12_000,
  heartbeatMs: 25_000,
  notReadyForMs: undefined,
  loopLagMs: 3,
  openBreakers: [],
};
const LOST = { isReady: false, readyAgeMs: undefined, ackAgeMs: undefined, heartbeatMs: undefined };

describe('judgeVitals', () => {
  it('finds a bot that is connected healthy and ready', () => {
    expect(judgeVitals(WELL)).toEqual({ healthy: true, ready: true, reasons: [] });
  });

  it.each<[string, Partial<Vitals>, boolean, boolean, string[]]>([
    ['starting', { ...LOST, phase: 'starting', notReadyForMs: 4_000 }, true, false, []],
    ['reconnecting for a while', { ...LOST, notReadyForMs: 119_999 }, true, false, []],
    [
      'without a connection for too long',
      { ...LOST, notReadyForMs: 120_000 },
      false,
      false,
      ['no connection for 120 s'],
    ],
    [
      'starting for too long',
      { ...LOST, phase: 'starting', notReadyForMs: 300_000 },
      false,
      false,
      ['no connection for 300 s'],
    ],
    ['closing', { phase: 'closing' }, true, false, []],
    [
      'closed for good',
      { ...LOST, phase: 'closed', notReadyForMs: 500_000 },
      false,
      false,
      ['the connection was closed for good'],
    ],
    [
      'closed because its token was refused',
      { phase: 'closed', closedBy: 'The bot token was refused (GET /users/@me answered 401).' },
      false,
      false,
      ['The bot token was refused (GET /users/@me answered 401).'],
    ],
    ['answered just in time', { ackAgeMs: 60_000 }, true, true, []],
    [
      'not answered for two heartbeats and more',
      { ackAgeMs: 60_001 },
      false,
      true,
      ['no heartbeat was answered for 60 s'],
    ],
    [
      'never answered',
      { ackAgeMs: undefined, readyAgeMs: 90_000 },
      false,
      true,
      ['no heartbeat was answered for 90 s'],
    ],
    ['young, with no answer yet', { ackAgeMs: undefined, readyAgeMs: 5_000 }, true, true, []],
    ['busy', { loopLagMs: 999 }, true, true, []],
    ['too busy', { loopLagMs: 1_000.4 }, false, true, ['the event loop was 1000 ms late']],
    [
      'cut off from REST',
      { openBreakers: ['https://chat.test'] },
      false,
      true,
      ['https://chat.test cannot be reached'],
    ],
  ])('judges a bot that is %s', (_, change, healthy, ready, reasons) => {
    expect(judgeVitals({ ...WELL, ...change })).toEqual({ healthy, ready, reasons });
  });

  it('tells everything that is wrong', () => {
    const { reasons } = judgeVitals({ ...WELL, loopLagMs: 2_000, openBreakers: ['a', 'b'] });
    expect(reasons).toHaveLength(3);
  });
});
