import type { GatewayEvent } from '@virgule/client/gateway';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createInFlight, type Progress } from './in-flight.js';

const A = { name: 'a process' };
const B = { name: 'another' };
const NOTHING = { again: [], abandoned: [], expired: [] };

function open(progressOf?: (id: string) => Progress) {
  const clock = createFakeClock();
  const inFlight = createInFlight({ clock, progressOf });
  const command = (interactionId: string): GatewayEvent => ({
    t: 'APPLICATION_COMMAND',
    d: { interactionId, name: 'x' },
    receivedAtMs: clock.monotonic(),
  });
  const message = (): GatewayEvent => ({
    t: 'MESSAGE_CREATE',
    d: {},
    receivedAtMs: clock.monotonic(),
  });
  return { clock, inFlight, command, message };
}

describe('createInFlight', () => {
  it('returns the events of the process that ended, in order, and of no other', () => {
    const { inFlight, command, message } = open();
    const [first, second, other] = [command('1'), message(), command('2')];
    inFlight.sent(A, first);
    inFlight.sent(B, other);
    inFlight.sent(A, second);
    expect(inFlight.leftBehind(A, false)).toEqual({ ...NOTHING, again: [first, second] });
    expect(inFlight.leftBehind(A, false)).toEqual(NOTHING);
    expect(inFlight.leftBehind(B, false).again).toEqual([other]);
  });

  it('forgets an event that is no command as soon as it is begun', () => {
    const { inFlight, message } = open();
    inFlight.took(inFlight.sent(A, message()));
    expect(inFlight.leftBehind(A, false)).toEqual(NOTHING);
  });

  it('uses the reports of the process where the platform cannot be asked', () => {
    const { inFlight, command } = open();
    for (const id of ['untouched', 'called', 'settled'])
      inFlight.took(inFlight.sent(A, command(id)));
    inFlight.called('called');
    inFlight.called('settled');
    inFlight.settled('settled');
    inFlight.settled('unknown');
    expect(inFlight.leftBehind(A, false)).toEqual({
      ...NOTHING,
      again: [expect.objectContaining({ d: { interactionId: 'untouched', name: 'x' } })],
      abandoned: [{ interactionId: 'called', command: 'x' }],
    });
  });

  it('asks the platform where it can, when the process has ended and not before', () => {
    const states: Record<string, Progress> = { a: 'untouched', b: 'untouched', c: 'untouched' };
    const { inFlight, command } = open((id) => states[id] ?? 'done');
    for (const id of ['a', 'b', 'c']) inFlight.sent(A, command(id));
    // Reported, and never arrived: only the platform knows.
    inFlight.called('a');
    states['b'] = 'open';
    states['c'] = 'done';
    expect(inFlight.leftBehind(A, false)).toMatchObject({
      again: [{ d: { interactionId: 'a' } }],
      abandoned: [{ interactionId: 'b' }],
    });
  });

  it('repeats an event once if it was started, and a few times if it was not', () => {
    const { inFlight, command, message } = open();
    const begun = command('1');
    for (const again of [[begun], []]) {
      inFlight.took(inFlight.sent(A, begun), '/x');
      expect(inFlight.leftBehind(A, false).again).toEqual(again);
    }
    for (const event of [command('2'), message()]) {
      for (const again of [[event], [event], [event], [event], []]) {
        inFlight.sent(A, event);
        expect(inFlight.leftBehind(A, false).again).toEqual(again);
      }
    }
  });

  it('does not count an event as handed over that was not delivered', () => {
    const { inFlight, command } = open();
    const event = command('1');
    expect(inFlight.undelivered(inFlight.sent(A, event))).toBe(true);
    inFlight.sent(A, event);
    expect(inFlight.leftBehind(A, false).again).toEqual([event]);
  });

  it('does not have an event delivered twice that was given back already', () => {
    const { inFlight, command } = open();
    const number = inFlight.sent(A, command('1'));
    inFlight.leftBehind(A, false);
    expect(inFlight.undelivered(number)).toBe(false);
  });

  it('separates commands whose time is over', () => {
    const { inFlight, command } = open((id) => (id === 'late' ? 'expired' : 'untouched'));
    for (const id of ['late', 'in time']) inFlight.sent(A, command(id));
    expect(inFlight.leftBehind(A, false)).toMatchObject({
      again: [{ d: { interactionId: 'in time' } }],
      abandoned: [],
      expired: ['x'],
    });
  });

  it('does not repeat the command that its process hung in, but all those behind it', () => {
    const { inFlight, command, message } = open();
    const ids = ['before', 'hangs', 'behind'];
    const numbers = ids.map((id) => inFlight.sent(A, command(id)));
    for (const number of numbers.slice(0, 2)) inFlight.took(number, `/x ${number}`);
    const event = message();
    inFlight.sent(A, event);
    expect(inFlight.suspectOf(A)).toBe('/x 2');
    expect(inFlight.leftBehind(A, true)).toMatchObject({
      again: [{ d: { interactionId: 'before' } }, { d: { interactionId: 'behind' } }, event],
      abandoned: [{ interactionId: 'hangs' }],
    });
  });

  it('suspects what was taken last, and a command that was answered only when there is nothing else', () => {
    const states: Record<string, Progress> = { a: 'open', b: 'untouched' };
    const { inFlight, command, message } = open((id) => states[id] ?? 'done');
    const took = (event: GatewayEvent, what?: string) =>
      inFlight.took(inFlight.sent(A, event), what);
    expect(inFlight.suspectOf(A)).toBeUndefined();
    took(command('done'), 'done');
    expect(inFlight.suspectOf(A)).toBe('done');
    took(command('a'), 'a');
    expect(inFlight.suspectOf(A)).toBe('a');
    took(message(), 'an event');
    expect(inFlight.suspectOf(A)).toBe('an event');
    took(message());
    took(command('b'), 'b');
    expect(inFlight.suspectOf(A)).toBe('b');
    states['b'] = 'done';
    expect(inFlight.suspectOf(A)).toBe('an event');
    expect(inFlight.suspectOf(B)).toBeUndefined();
  });

  it('knows whether a command waits without an answer', () => {
    const states: Record<string, Progress> = { a: 'untouched' };
    const { inFlight, command, message } = open((id) => states[id] ?? 'done');
    inFlight.sent(A, message());
    expect(inFlight.hasUnanswered(A)).toBe(false);
    inFlight.sent(A, command('a'));
    expect([inFlight.hasUnanswered(A), inFlight.hasUnanswered(B)]).toEqual([true, false]);
    states['a'] = 'open';
    expect(inFlight.hasUnanswered(A)).toBe(false);
  });

  it('remembers a command that shows the thinking state as long as it does', async () => {
    const states: Record<string, Progress> = {};
    const { clock, inFlight, command } = open((id) => states[id] ?? 'untouched');
    states['open'] = 'open';
    for (const id of ['untouched', 'open']) inFlight.sent(A, command(id));
    await clock.advance(15 * 60_000);
    inFlight.sent(B, command('late'));
    expect(inFlight.leftBehind(A, false)).toMatchObject({
      again: [],
      abandoned: [{ interactionId: 'open' }],
    });
    inFlight.sent(A, command('open'));
    await clock.advance(15 * 60_000 + 1);
    expect(inFlight.leftBehind(A, false)).toEqual(NOTHING);
  });

  it('remembers 1,000 events for 30 s', async () => {
    const { clock, inFlight, command } = open();
    for (let n = 0; n < 1_001; n += 1) inFlight.sent(A, command(String(n)));
    await clock.advance(30_000);
    expect(inFlight.leftBehind(A, false).again).toHaveLength(1_000);
    inFlight.sent(A, command('late'));
    await clock.advance(30_001);
    expect(inFlight.leftBehind(A, false)).toEqual(NOTHING);
  });
});
