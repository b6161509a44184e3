import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createRecordedLog } from '../../test/recorded-log.js';
import { AnswerWindow } from './answer-window.js';

const AUTO_MS = 1_500;
const MINUTE_MS = 60_000;

function open() {
  const clock = createFakeClock();
  const log = createRecordedLog();
  return { clock, log, window: new AnswerWindow({ clock, log }) };
}

describe('AnswerWindow', () => {
  it('leaves defers where they are while nothing is known', () => {
    const { window, log } = open();
    for (const ms of [300, AUTO_MS, 8_000]) expect(window.deferAfterMs(ms)).toBe(ms);
    expect(window.state).toEqual({ acceptedMs: 0, refusedMs: undefined });
    expect(log.lines).toEqual([]);
  });

  it('defers after half of the time after which a command was refused', () => {
    const { window } = open();
    window.refused(1_000, 'x');
    expect(window.deferAfterMs(AUTO_MS)).toBe(500);
    expect(window.deferAfterMs(200)).toBe(200);
    expect(window.state.refusedMs).toBe(1_000);
  });

  it('takes the youngest refusal, and no notice of older ones', () => {
    const { window } = open();
    window.refused(2_000, 'x');
    window.refused(1_200, 'x');
    window.refused(1_900, 'x');
    expect(window.deferAfterMs(AUTO_MS)).toBe(600);
  });

  it('changes nothing when half of the window is longer than what is set', () => {
    const { window } = open();
    window.refused(3_200, 'x');
    expect(window.deferAfterMs(AUTO_MS)).toBe(AUTO_MS);
  });

  it('never defers sooner than 250 ms because of it, and does not count a refusal under 500 ms as an expiry', () => {
    const { window, log } = open();
    window.refused(40, 'x');
    window.refused(499, 'x');
    expect([window.deferAfterMs(AUTO_MS), log.lines]).toEqual([AUTO_MS, []]);
    window.refused(500, 'x');
    expect(window.deferAfterMs(AUTO_MS)).toBe(250);
  });

  it('is logged once', () => {
    const { window, log } = open();
    window.refused(1_800, 'roll');
    window.refused(1_000, 'roll');
    expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        message:
          'the platform treated /roll as expired after 1800 ms; deferring commands after 900 ms at the latest',
        details: { command: 'roll', ageMs: 1_800, deferMs: 900 },
      },
    ]);
    expect(log.at('debug')).toHaveLength(1);
  });

  it('is forgotten when an older command was answered after all', () => {
    const { window, log } = open();
    window.refused(1_000, 'x');
    window.accepted(900);
    expect(window.deferAfterMs(AUTO_MS)).toBe(500);
    window.accepted(1_400);
    expect(window.deferAfterMs(AUTO_MS)).toBe(AUTO_MS);
    expect(window.state).toEqual({ acceptedMs: 1_400, refusedMs: undefined });
    expect(log.at('info')).toEqual([
      'an older command was answered; deferring commands as late as their settings say again',
    ]);
  });

  it('is doubted after 10 quiet minutes, and after twice as long each time it comes back', async () => {
    const { window, clock } = open();
    for (const minutes of [10, 20, 40]) {
      window.refused(1_000, 'x');
      await clock.advance(minutes * MINUTE_MS - 1);
      expect(window.deferAfterMs(AUTO_MS)).toBe(500);
      await clock.advance(1);
      expect(window.deferAfterMs(AUTO_MS)).toBe(AUTO_MS);
    }
  });

  it('is believed for a day at most', async () => {
    const { window, clock } = open();
    for (let n = 0; n < 12; n += 1) {
      window.refused(1_000, 'x');
      await clock.advance(24 * 60 * MINUTE_MS);
      expect(window.deferAfterMs(AUTO_MS)).toBe(AUTO_MS);
    }
  });
});
