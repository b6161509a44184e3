import { describe, expect, it } from 'vitest';
import { judgeVitals, type Vitals } from './vitals.js';

const WELL: Vitals = {
  phase: 'running',
  closedBy: undefined,
  isReady: true,
  readyAgeMs: 3_600_000,
  ackAgeMs: 12_000,
  heartbeatMs: 25_000,
  notReadyForMs: undefined,
  stuckForMs: undefined,
  openBreakers: [],
};
const LOST = { isReady: false, readyAgeMs: undefined, ackAgeMs: undefined, heartbeatMs: undefined };

describe('judgeVitals', () => {
  it('finds a bot that is connected healthy and ready', () => {
    expect(judgeVitals(WELL)).toEqual({ healthy: true, ready: true, reasons: [] });
  });

  it.each<[string, Partial<Vitals>, boolean, boolean, string[]]>([
    ['starting', { ...LOST, phase: 'starting', stuckForMs: 4_000 }, true, false, []],
    // A restart would not bring the platform back, and would lose what is deferred.
    [
      'reconnecting for hours',
      { ...LOST, notReadyForMs: 9_000_000, stuckForMs: 30_000 },
      true,
      false,
      [],
    ],
    [
      'disconnected and no longer trying',
      { ...LOST, notReadyForMs: 200_000, stuckForMs: 120_000 },
      false,
      false,
      ['no connection and no attempt to connect for 120 s'],
    ],
    [
      'starting for too long',
      { ...LOST, phase: 'starting', notReadyForMs: 300_000, stuckForMs: 300_000 },
      false,
      false,
      ['no connection and no attempt to connect for 300 s'],
    ],
    ['closing', { phase: 'closing' }, true, false, []],
    [
      'closed for good',
      { ...LOST, phase: 'closed', notReadyForMs: 500_000 },
      false,
      false,
      ['the connection was closed permanently'],
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
    ['cut off from REST', { openBreakers: ['https://chat.test'] }, true, false, []],
  ])('judges a bot that is %s', (_, change, healthy, ready, reasons) => {
    expect(judgeVitals({ ...WELL, ...change })).toEqual({ healthy, ready, reasons });
  });

  it('reports everything that is wrong', () => {
    const { reasons } = judgeVitals({ ...WELL, stuckForMs: 120_000, ackAgeMs: 90_000 });
    expect(reasons).toHaveLength(2);
  });
});
