import { describe, expect, it } from 'vitest';
import {
  COMMAND,
  HELLO,
  READY,
  connectGateway,
  makeReady,
  type TestGateway,
} from './test-gateway.js';

const command = (interactionId: string) => ({
  op: 'DISPATCH',
  t: 'APPLICATION_COMMAND',
  d: { ...Object(COMMAND).d, interactionId },
});
const voice = (userId: string) => ({ op: 'DISPATCH', t: 'VOICE_STATE_UPDATE', d: { userId } });
const idsOf = ({ events }: TestGateway) =>
  events.map(({ d }) => Object(d).interactionId ?? Object(d).userId);

/** A gateway that is ready, and the two sockets of a planned reconnect. */
function replace() {
  const test = connectGateway();
  makeReady(test);
  const outcome = test.gateway.reconnect({ reason: 'a test' });
  const [old, next] = test.sockets.opened;
  if (!old || !next) throw new Error('There are no two sockets.');
  return { test, outcome, old, next };
}

describe('reconnect', () => {
  it('makes the new connection first, then closes the old one, without a gap', async () => {
    const { test, outcome, old, next } = replace();
    next.accept();
    next.frame(HELLO);
    old.frame(command('a'));
    expect(old.ended).toBe('no');
    next.frame(READY);
    expect(old.ended).toBe('closed');
    next.frame(command('b'));
    old.hangUp(1000);
    expect(await outcome).toBe('seamless');
    expect(idsOf(test)).toEqual(['a', 'b']);
    expect(test.statuses.slice(1)).toMatchObject([{ state: 'ready', reconnected: true }]);
    expect(test.gateway.counts).toMatchObject({ gaps: 0, duplicates: 0, identifies: 2 });
    expect(test.sockets.opened).toHaveLength(2);
  });

  it('delivers once what comes over both, and what was still on its way over the old one', async () => {
    const { test, outcome, old, next } = replace();
    next.accept();
    next.frame(HELLO);
    old.frame(command('a'));
    old.frame(voice('v'));
    next.frame(READY);
    next.frame(command('a'));
    next.frame(voice('v'));
    next.frame(command('b'));
    next.frame(voice('w'));
    old.frame(command('b'));
    old.frame(voice('w'));
    old.frame(command('c'));
    old.hangUp(1000);
    await outcome;
    // A later event is one of its own, though it looks the same.
    next.frame(voice('w'));
    expect(idsOf(test)).toEqual(['a', 'v', 'b', 'w', 'c', 'w']);
    expect(test.gateway.counts.duplicates).toBe(4);
  });

  it('does not wait for an old connection that does not answer the close', async () => {
    const { test, outcome, old, next } = replace();
    next.accept();
    next.frame(HELLO);
    next.frame(READY);
    await test.clock.advance(1_000);
    expect(await outcome).toBe('seamless');
    expect(old.ended).toBe('terminated');
    old.frame(command('late'));
    old.hangUp(4004);
    old.fail(new Error('late'));
    expect(test.events).toEqual([]);
    expect(test.sockets.opened).toHaveLength(2);
  });

  it('goes over to the new one, and tells the gap, when the platform closes the old one first', async () => {
    const { test, outcome, old, next } = replace();
    next.accept();
    next.frame(HELLO);
    old.hangUp(4009, 'another socket identified');
    await test.clock.advance(30);
    next.frame(READY);
    expect(await outcome).toBe('gap');
    expect(test.statuses.slice(1)).toMatchObject([
      { state: 'gap', ms: 30, reason: 'closed with code 4009 "another socket identified"' },
      { state: 'ready', reconnected: true },
    ]);
    await test.clock.advance(10_000);
    expect(test.sockets.opened).toHaveLength(2);
    next.frame(command('a'));
    expect(idsOf(test)).toEqual(['a']);
  });

  it('keeps the old one when the platform turns the new one away', async () => {
    const { test, outcome, old, next } = replace();
    next.accept();
    next.frame(HELLO);
    next.hangUp(4009, 'one is open');
    expect(await outcome).toBe('kept');
    await test.clock.advance(10_000);
    old.frame(command('a'));
    expect(idsOf(test)).toEqual(['a']);
    expect(old.ended).toBe('no');
    expect(test.statuses).toHaveLength(1);
    expect(test.sockets.opened).toHaveLength(2);
  });

  it('comes back as from any loss when both are gone', async () => {
    const { test, outcome, old, next } = replace();
    old.hangUp(1006);
    expect(test.statuses).toHaveLength(1);
    next.hangUp(1006);
    expect(await outcome).toBe('gap');
    await test.clock.advance(500);
    makeReady(test);
    expect(test.statuses.slice(1)).toMatchObject([
      { state: 'reconnecting' },
      { state: 'gap', ms: 500 },
      { state: 'ready' },
    ]);
    expect(test.sockets.opened).toHaveLength(3);
  });

  it('is one when it is asked for twice at a time, and can be asked for again', async () => {
    const { test, outcome, old, next } = replace();
    const again = test.gateway.reconnect({ reason: 'the same' });
    expect(test.sockets.opened).toHaveLength(2);
    next.accept();
    next.frame(HELLO);
    next.frame(READY);
    old.hangUp(1000);
    expect([await outcome, await again]).toEqual(['seamless', 'seamless']);
    void test.gateway.reconnect({ reason: 'another' });
    expect(test.sockets.opened).toHaveLength(3);
  });

  it('leaves a connection alone that is being opened anyway', async () => {
    const test = connectGateway();
    expect(await test.gateway.reconnect({ reason: 'early' })).toBe('kept');
    makeReady(test);
    test.sockets.last.hangUp(1006);
    expect(await test.gateway.reconnect({ reason: 'between' })).toBe('kept');
    expect(test.sockets.opened).toHaveLength(1);
  });

  it('ends with E_SHUTTING_DOWN when the gateway is closed meanwhile, with all its sockets', async () => {
    const { test, outcome, old, next } = replace();
    const refused = outcome.catch((error: unknown) => error);
    const closing = test.gateway.close();
    expect([old.ended, next.ended]).toEqual(['closed', 'terminated']);
    old.hangUp(1000);
    await closing;
    expect(await refused).toMatchObject({ code: 'E_SHUTTING_DOWN' });
    await expect(test.gateway.reconnect({ reason: 'late' })).rejects.toMatchObject({
      code: 'E_SHUTTING_DOWN',
    });
    expect(test.clock.pending).toBe(0);
  });

  it('does not make close() longer: two silent sockets take 1 s as one does', async () => {
    const { test, outcome, next } = replace();
    const refused = outcome.catch((error: unknown) => error);
    next.accept();
    next.frame(HELLO);
    next.frame(READY);
    await test.clock.advance(500);
    const closing = test.gateway.close();
    await test.clock.advance(1_000);
    await closing;
    expect(await refused).toMatchObject({ code: 'E_SHUTTING_DOWN' });
    expect(test.sockets.opened.map(({ ended }) => ended)).toEqual(['terminated', 'terminated']);
    expect(test.clock.pending).toBe(0);
  });
});
