import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createHeartbeat } from './heartbeat.js';

function open({ isPatient = false } = {}) {
  const clock = createFakeClock();
  const reported: unknown[] = [];
  const unanswered = { answer: false };
  const signs = createHeartbeat({
    clock,
    isPatient,
    onSilent: () => reported.push('silent'),
    onTimeout: (seconds) => reported.push(seconds),
    isAwaited: () => unanswered.answer,
  });
  return { clock, signs, reported, unanswered };
}

describe('createHeartbeat', () => {
  it('reports that a process is silent when a heartbeat is overdue, until it responds again', async () => {
    const { clock, signs, reported } = open();
    for (let second = 0; second < 30; second += 1) {
      await clock.advance(1_200);
      signs.received();
    }
    expect(reported).toEqual([]);
    await clock.advance(1_500);
    expect([reported, signs.isSilent()]).toEqual([['silent'], true]);
    signs.received();
    expect([reported, signs.isSilent()]).toEqual([['silent'], false]);
    signs.stop();
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['10 s', false, 10],
    ['5 s when someone waits for it', true, 5],
  ])('allows a silent process %s', async (_, answer, seconds) => {
    const { clock, reported, unanswered } = open();
    unanswered.answer = answer;
    await clock.advance(seconds * 1_000);
    expect(reported).toEqual(['silent']);
    await clock.advance(60_000);
    expect(reported).toEqual(['silent', seconds]);
    expect(clock.pending).toBe(0);
  });

  it('does not end a process that a debugger may pause, but still reports that it is silent', async () => {
    const { clock, signs, reported } = open({ isPatient: true });
    await clock.advance(60_000);
    signs.received();
    await clock.advance(1_500);
    expect(reported).toEqual(['silent', 'silent']);
    signs.stop();
  });
});
