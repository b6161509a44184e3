import type { GatewayEvent } from '@virgule/client/gateway';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createHeldCommands } from './held-commands.js';

function open() {
  const clock = createFakeClock();
  const deferred: string[] = [];
  const shown: string[] = [];
  const touched = new Set<string>();
  const held = createHeldCommands({
    clock,
    async defer(id) {
      deferred.push(id);
      if (id === 'refused') throw new Error('refused');
    },
    isUntouched: (id) => !touched.has(id),
    onDeferred: (id) => shown.push(id),
  });
  const command = (interactionId: string): GatewayEvent => ({
    t: 'APPLICATION_COMMAND',
    d: { interactionId, name: 'x' },
    receivedAtMs: clock.monotonic(),
  });
  return { clock, held, deferred, shown, touched, command };
}

describe('createHeldCommands', () => {
  it('shows the thinking state 1.5 s after a command came, once', async () => {
    const { clock, held, deferred, command } = open();
    const event = command('1');
    await clock.advance(500);
    held.hold(event);
    held.hold(event);
    await clock.advance(999);
    expect([deferred, held.wasDeferred('1')]).toEqual([[], false]);
    await clock.advance(1);
    expect([deferred, held.wasDeferred('1')]).toEqual([['1'], true]);
    held.hold(event);
    await clock.advance(10_000);
    expect(deferred).toEqual(['1']);
  });

  it('reports when it is shown, and not when the platform refused', async () => {
    const { clock, held, deferred, shown, command } = open();
    for (const id of ['1', 'refused']) held.hold(command(id));
    await clock.advance(1_500);
    expect([deferred, shown]).toEqual([['1', 'refused'], ['1']]);
  });

  it('lets a command be that a process took in time', async () => {
    const { clock, held, deferred, command } = open();
    const event = command('1');
    held.hold(event);
    await clock.advance(1_499);
    held.release(event);
    await clock.advance(10_000);
    expect([deferred, clock.pending]).toEqual([[], 0]);
  });

  it('skips a command that was answered meanwhile', async () => {
    const { clock, held, deferred, touched, command } = open();
    held.hold(command('1'));
    touched.add('1');
    await clock.advance(10_000);
    expect([deferred, held.wasDeferred('1')]).toEqual([[], false]);
  });

  it('takes no notice of other events', async () => {
    const { clock, held } = open();
    const event: GatewayEvent = { t: 'MESSAGE_CREATE', d: { interactionId: '1' }, receivedAtMs: 0 };
    held.hold(event);
    held.hold({ ...event, t: 'APPLICATION_COMMAND', d: null });
    held.release(event);
    expect(clock.pending).toBe(0);
  });

  it('remembers the last 1,000, and leaves no timer behind', async () => {
    const { clock, held, command } = open();
    for (let n = 0; n <= 1_000; n += 1) held.hold(command(String(n)));
    await clock.advance(1_500);
    expect([held.wasDeferred('0'), held.wasDeferred('1')]).toEqual([false, true]);
    held.hold(command('late'));
    held.close();
    expect(clock.pending).toBe(0);
  });
});
