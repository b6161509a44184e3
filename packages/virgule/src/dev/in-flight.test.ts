import type { GatewayEvent } from '@virgule/client/gateway';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createInFlight, type Progress } from './in-flight.js';

const A = { name: 'a process' };
const B = { name: 'another' };
const NOTHING = { again: [], abandoned: [] };

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
  it('gives back the events of the process that ended, in order, and of no other', () => {
    const { inFlight, command, message } = open();
    const [first, second, other] = [command('1'), message(), command('2')];
    inFlight.sent(A, first);
    inFlight.sent(B, other);
    inFlight.sent(A, second);
    expect(inFlight.leftBehind(A)).toEqual({ again: [first, second], abandoned: [] });
    expect(inFlight.leftBehind(A)).toEqual(NOTHING);
    expect(inFlight.leftBehind(B).again).toEqual([other]);
  });

  it('forgets an event that is no command as soon as it is begun', () => {
    const { inFlight, message } = open();
    inFlight.took(inFlight.sent(A, message()));
    expect(inFlight.leftBehind(A)).toEqual(NOTHING);
  });

  it('goes by what the process told where the platform cannot be asked', () => {
    const { inFlight, command } = open();
    for (const id of ['untouched', 'called', 'settled'])
      inFlight.took(inFlight.sent(A, command(id)));
    inFlight.called('called');
    inFlight.called('settled');
    inFlight.settled('settled');
    inFlight.settled('unknown');
    expect(inFlight.leftBehind(A)).toEqual({
      again: [expect.objectContaining({ d: { interactionId: 'untouched', name: 'x' } })],
      abandoned: [{ interactionId: 'called', command: 'x' }],
    });
  });

  it('asks the platform where it can, when the process has ended and not before', () => {
    const states: Record<string, Progress> = { a: 'untouched', b: 'untouched', c: 'untouched' };
    const { inFlight, command } = open((id) => states[id] ?? 'done');
    for (const id of ['a', 'b', 'c']) inFlight.sent(A, command(id));
    // Told, and never arrived: only the platform knows.
    inFlight.called('a');
    states['b'] = 'open';
    states['c'] = 'done';
    expect(inFlight.leftBehind(A)).toMatchObject({
      again: [{ d: { interactionId: 'a' } }],
      abandoned: [{ interactionId: 'b' }],
    });
  });

  it('gives an event a second time only once', () => {
    const { inFlight, command, message } = open();
    for (const event of [command('1'), message()]) {
      inFlight.sent(A, event);
      expect(inFlight.leftBehind(A).again).toEqual([event]);
      inFlight.sent(B, event);
      expect(inFlight.leftBehind(B).again).toEqual([]);
    }
  });

  it('does not count an event as handed over that was not delivered', () => {
    const { inFlight, command } = open();
    const event = command('1');
    expect(inFlight.undelivered(inFlight.sent(A, event))).toBe(true);
    inFlight.sent(A, event);
    expect(inFlight.leftBehind(A).again).toEqual([event]);
  });

  it('does not have an event delivered twice that was given back already', () => {
    const { inFlight, command } = open();
    const number = inFlight.sent(A, command('1'));
    inFlight.leftBehind(A);
    expect(inFlight.undelivered(number)).toBe(false);
  });

  it('remembers 1,000 events for 30 s', async () => {
    const { clock, inFlight, command } = open();
    for (let n = 0; n < 1_001; n += 1) inFlight.sent(A, command(String(n)));
    await clock.advance(30_000);
    expect(inFlight.leftBehind(A).again).toHaveLength(1_000);
    inFlight.sent(A, command('late'));
    await clock.advance(30_001);
    expect(inFlight.leftBehind(A)).toEqual(NOTHING);
  });
});
