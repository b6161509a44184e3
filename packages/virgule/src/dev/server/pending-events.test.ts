import type { GatewayEvent } from '@virgule/client/gateway';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createPendingEvents, type Progress } from './pending-events.js';

const A = { name: 'a process' };
const B = { name: 'another' };

function open(progressOf?: (id: string) => Progress) {
  const clock = createFakeClock();
  const deferred: string[] = [];
  const shown: string[] = [];
  const abandoned: string[] = [];
  const expired: string[] = [];
  const pending = createPendingEvents({
    clock,
    platform: {
      progressOf,
      async defer(id) {
        deferred.push(id);
        if (id === 'refused') throw new Error('refused');
      },
    },
    onDeferred: (id) => shown.push(id),
    onAbandoned: (id, name) => abandoned.push(`${id} ${name}`),
    onExpired: (names) => expired.push(...names),
  });
  const command = (interactionId: string): GatewayEvent => ({
    t: 'APPLICATION_COMMAND',
    d: { interactionId, name: 'x' },
    receivedAtMs: clock.monotonic(),
  });
  const message = (): GatewayEvent => ({
    t: 'MESSAGE_CREATE',
    d: { interactionId: '1' },
    receivedAtMs: clock.monotonic(),
  });
  const sent = (process: object, event: GatewayEvent): number =>
    pending.hand(pending.add(event), process).number;
  /** Hands an event to a process that begins it at once. */
  const begun = (process: object, event: GatewayEvent): void =>
    pending.took(sent(process, event), 'x');
  /** Keeps an event for which there is no process. */
  const wait = (event: GatewayEvent): void => pending.wait(pending.add(event));
  const waiting = () => {
    const { events, dropped } = pending.waiting();
    return { events: events.map(({ event }) => event), dropped };
  };
  const leftBy = (process: object, isHung = false) =>
    pending.leftBy(process, isHung).map(({ event }) => event);
  return {
    clock,
    pending,
    deferred,
    shown,
    abandoned,
    expired,
    command,
    message,
    sent,
    begun,
    wait,
    waiting,
    leftBy,
  };
}

describe('events that wait', () => {
  it('are returned in order, with the time they came, until a process has them', () => {
    const { pending, command, message, wait } = open();
    const events = [command('1'), message()];
    events.forEach(wait);
    const waiting = pending.waiting();
    expect(waiting).toMatchObject({ events: events.map((event) => ({ event })), dropped: 0 });
    for (const event of waiting.events) pending.hand(event, A);
    expect(pending.waiting()).toEqual({ events: [], dropped: 0 });
  });

  it('are dropped and counted after 30 s, and the users are notified that see the thinking state', async () => {
    const { clock, pending, command, message, wait, waiting, abandoned } = open();
    wait(message());
    wait(command('1'));
    await clock.advance(30_001);
    const event = command('2');
    wait(event);
    expect(waiting()).toEqual({ events: [event], dropped: 2 });
    expect(waiting().dropped).toBe(0);
    expect(abandoned).toEqual(['1 x']);
    pending.close();
  });

  it('are the newest 10,000', () => {
    const { pending, command, wait, waiting } = open();
    const events = Array.from({ length: 10_005 }, (_, n) => command(String(n)));
    events.forEach(wait);
    expect(waiting()).toEqual({ events: events.slice(5), dropped: 5 });
    pending.close();
  });
});

describe('the thinking state', () => {
  it('is shown 1.5 s after a command came, once', async () => {
    const { clock, pending, deferred, command } = open();
    const event = pending.add(command('1'));
    await clock.advance(500);
    pending.wait(event);
    pending.wait(event);
    await clock.advance(999);
    expect(deferred).toEqual([]);
    await clock.advance(1);
    expect(deferred).toEqual(['1']);
    pending.wait(event);
    await clock.advance(10_000);
    expect(deferred).toEqual(['1']);
    expect(pending.hand(event, A).deferred).toBe('1');
  });

  it('is reported when it is shown, and not when the platform refused', async () => {
    const { clock, deferred, shown, command, wait } = open();
    for (const id of ['1', 'refused']) wait(command(id));
    await clock.advance(1_500);
    expect([deferred, shown]).toEqual([['1', 'refused'], ['1']]);
  });

  it('is not shown for a command that a process took in time', async () => {
    const { clock, pending, deferred, command } = open();
    const event = pending.add(command('1'));
    pending.wait(event);
    await clock.advance(1_499);
    const { number, deferred: shown } = pending.hand(event, A);
    expect(shown).toBeUndefined();
    pending.took(number, 'x');
    await clock.advance(10_000);
    expect([deferred, clock.pending]).toEqual([[], 0]);
  });

  it('is shown for a command that a busy process has, but has not taken', async () => {
    const { clock, pending, deferred, shown, command, sent, wait, waiting } = open();
    wait(command('1'));
    await clock.advance(1_000);
    for (const event of pending.waiting().events) pending.hand(event, A);
    const number = sent(A, command('2'));
    await clock.advance(500);
    expect([waiting().events, deferred, shown]).toEqual([[], ['1'], ['1']]);
    pending.took(number, 'x');
    expect(clock.pending).toBe(0);
  });

  it('is shown for the commands of a process while it does not respond, and for those that it gets then', async () => {
    const { clock, pending, deferred, command, begun } = open();
    begun(A, command('before'));
    begun(B, command('of another'));
    pending.quieten(A, true);
    begun(A, command('then'));
    await clock.advance(1_499);
    pending.quieten(A, false);
    expect(clock.pending).toBe(0);
    pending.quieten(A, true);
    await clock.advance(1);
    expect(deferred).toEqual(['before', 'then']);
  });

  it.each([
    ['as the platform says', () => 'done' as const],
    ['as the process said, where the platform cannot be asked', undefined],
  ])('is not shown for a command that was answered meanwhile, %s', async (_, progressOf) => {
    const { clock, pending, deferred, command, sent } = open(progressOf);
    sent(A, command('1'));
    pending.quieten(A, true);
    pending.progressed('1', 'open');
    await clock.advance(10_000);
    expect(deferred).toEqual([]);
  });

  it('is for commands alone, and leaves no timer behind', () => {
    const { clock, pending, command, message, wait } = open();
    wait(message());
    wait({ ...command('1'), d: null });
    expect(clock.pending).toBe(0);
    wait(command('1'));
    pending.close();
    expect(clock.pending).toBe(0);
  });

  it('does not count as begun by the process when it was shown from here', async () => {
    const { clock, pending, command, sent, leftBy } = open(() => 'open');
    const event = command('1');
    sent(A, event);
    expect(pending.hasUnanswered(A)).toBe(false);
    const states: Progress[] = ['untouched', 'open'];
    const other = open(() => states[0] ?? 'open');
    other.sent(A, event);
    other.pending.quieten(A, true);
    await other.clock.advance(1_500);
    states.shift();
    expect(other.pending.hasUnanswered(A)).toBe(true);
    expect(other.leftBy(A)).toEqual([event]);
    expect(leftBy(A)).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe('events that a process had when it ended', () => {
  it('are returned in order, and those of no other', () => {
    const { command, message, sent, leftBy, abandoned } = open();
    const [first, second, other] = [command('1'), message(), command('2')];
    sent(A, first);
    sent(B, other);
    sent(A, second);
    expect(leftBy(A)).toEqual([first, second]);
    expect(leftBy(A)).toEqual([]);
    expect(leftBy(B)).toEqual([other]);
    expect(abandoned).toEqual([]);
  });

  it('are forgotten as soon as they are begun, if they are no commands', () => {
    const { pending, message, sent, leftBy } = open();
    pending.took(sent(A, message()));
    expect(leftBy(A)).toEqual([]);
  });

  it('are judged by the reports of the process where the platform cannot be asked', () => {
    const { pending, command, sent, leftBy, abandoned } = open();
    const untouched = command('untouched');
    pending.took(sent(A, untouched));
    for (const id of ['called', 'settled']) pending.took(sent(A, command(id)));
    pending.progressed('called', 'open');
    pending.progressed('settled', 'open');
    pending.progressed('settled', 'done');
    pending.progressed('unknown', 'done');
    expect(leftBy(A)).toEqual([untouched]);
    expect(abandoned).toEqual(['called x']);
  });

  it('are judged by the platform where it can be asked, when the process has ended and not before', () => {
    const states: Record<string, Progress> = { a: 'untouched', b: 'untouched', c: 'untouched' };
    const { pending, command, sent, leftBy, abandoned } = open((id) => states[id] ?? 'done');
    const untouched = command('a');
    sent(A, untouched);
    for (const id of ['b', 'c']) sent(A, command(id));
    // Reported, and never arrived: only the platform knows.
    pending.progressed('a', 'open');
    states['b'] = 'open';
    states['c'] = 'done';
    expect(leftBy(A)).toEqual([untouched]);
    expect(abandoned).toEqual(['b x']);
  });

  it('are repeated once if they were started, and a few times if they were not', () => {
    const { pending, command, message } = open();
    const begun = pending.add(command('1'));
    for (const again of [[begun], []]) {
      pending.took(pending.hand(begun, A).number, '/x');
      expect(pending.leftBy(A, false)).toEqual(again);
    }
    for (const event of [pending.add(command('2')), pending.add(message())]) {
      for (const again of [[event], [event], [event], [event], []]) {
        pending.hand(event, A);
        expect(pending.leftBy(A, false)).toEqual(again);
      }
    }
  });

  it('do not count as handed over when they were not delivered', () => {
    const { pending, command } = open();
    const event = pending.add(command('1'));
    for (let n = 0; n < 5; n += 1)
      expect(pending.undelivered(pending.hand(event, A).number)).toBe(true);
    pending.hand(event, A);
    expect(pending.leftBy(A, false)).toEqual([event]);
  });

  it('are not delivered twice when they were given back already', () => {
    const { pending, command, sent } = open();
    const number = sent(A, command('1'));
    pending.leftBy(A, false);
    expect(pending.undelivered(number)).toBe(false);
  });

  it('are reported when it is too late for them', () => {
    const { command, sent, leftBy, abandoned, expired } = open((id) =>
      id === 'late' ? 'expired' : 'untouched',
    );
    const inTime = command('in time');
    sent(A, command('late'));
    sent(A, inTime);
    expect(leftBy(A)).toEqual([inTime]);
    expect([abandoned, expired]).toEqual([[], ['x']]);
  });

  it('are repeated without the command that it hung in', () => {
    const { pending, command, message, sent, leftBy, abandoned } = open();
    const [before, hangs, behind] = ['before', 'hangs', 'behind'].map(command);
    if (!before || !hangs || !behind) throw new Error('unreachable');
    const numbers = [before, hangs, behind].map((event) => sent(A, event));
    for (const number of numbers.slice(0, 2)) pending.took(number, `/x ${number}`);
    const event = message();
    sent(A, event);
    expect(pending.suspectOf(A)).toBe('/x 2');
    expect(leftBy(A, true)).toEqual([before, behind, event]);
    expect(abandoned).toEqual(['hangs x']);
  });

  it('are remembered as long as their thinking state is shown', async () => {
    const states: Record<string, Progress> = { open: 'open' };
    const { clock, command, begun, leftBy, abandoned } = open((id) => states[id] ?? 'untouched');
    for (const id of ['untouched', 'open']) begun(A, command(id));
    await clock.advance(15 * 60_000);
    begun(B, command('late'));
    expect(leftBy(A)).toEqual([]);
    expect(abandoned).toEqual(['open x']);
    begun(A, command('open'));
    await clock.advance(15 * 60_000 + 1);
    expect(leftBy(A)).toEqual([]);
    expect(abandoned).toEqual(['open x']);
  });

  it('are run after all when the thinking state was shown from here', async () => {
    const { clock, pending, command, sent, leftBy } = open(() => 'untouched');
    const event = command('1');
    sent(A, event);
    pending.quieten(A, true);
    await clock.advance(60_000);
    expect(leftBy(A)).toEqual([event]);
  });

  it('are 10,000 at most, of 30 s', async () => {
    const { clock, command, begun, leftBy } = open();
    for (let n = 0; n < 10_001; n += 1) begun(A, command(String(n)));
    await clock.advance(30_000);
    expect(leftBy(A)).toHaveLength(10_000);
    begun(A, command('late'));
    await clock.advance(30_001);
    expect(leftBy(A)).toEqual([]);
  });
});

describe('what a process is busy with', () => {
  it('is what it took last, and a command that was answered only when there is nothing else', () => {
    const states: Record<string, Progress> = { a: 'open', b: 'untouched' };
    const { pending, command, message, sent } = open((id) => states[id] ?? 'done');
    const took = (event: GatewayEvent, what?: string) => pending.took(sent(A, event), what);
    expect(pending.suspectOf(A)).toBeUndefined();
    took(command('done'), 'done');
    expect(pending.suspectOf(A)).toBe('done');
    took(command('a'), 'a');
    expect(pending.suspectOf(A)).toBe('a');
    took(message(), 'an event');
    expect(pending.suspectOf(A)).toBe('an event');
    took(message());
    took(command('b'), 'b');
    expect(pending.suspectOf(A)).toBe('b');
    states['b'] = 'done';
    expect(pending.suspectOf(A)).toBe('an event');
    expect(pending.suspectOf(B)).toBeUndefined();
  });

  it('may be a command without an answer', () => {
    const states: Record<string, Progress> = { a: 'untouched' };
    const { pending, command, message, sent } = open((id) => states[id] ?? 'done');
    sent(A, message());
    expect(pending.hasUnanswered(A)).toBe(false);
    sent(A, command('a'));
    expect([pending.hasUnanswered(A), pending.hasUnanswered(B)]).toEqual([true, false]);
    states['a'] = 'open';
    expect(pending.hasUnanswered(A)).toBe(false);
  });
});
