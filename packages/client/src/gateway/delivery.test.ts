import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { Delivery } from './delivery.js';
import { resolveGatewayOptions } from './gateway-options.js';

const event = (t: string, d: unknown) => ({ t, d, receivedAtMs: 0 });
const command = (interactionId: string) => event('APPLICATION_COMMAND', { interactionId });
const message = (id: string) => event('MESSAGE_CREATE', { id });

function open({ readsBack }: { readonly readsBack: boolean }) {
  const rest = { messages: { history: () => expect.unreachable() } };
  const delivery = new Delivery(
    resolveGatewayOptions({
      token: 'x',
      gatewayUrl: 'ws://localhost',
      clock: createFakeClock(),
      log: silentLog,
      backfill: readsBack ? { rest } : undefined,
    }),
  );
  let delivered = 0;
  delivery.start({ dispatch: () => void (delivered += 1) });
  return {
    delivery,
    /** Returns whether an event counts as a repeat. */
    isRepeat(each: ReturnType<typeof event>): boolean {
      const before = delivered;
      delivery.take(each);
      return delivered === before;
    },
  };
}

describe('Delivery', () => {
  it('recognizes commands and new messages by their id, whenever they come again', () => {
    const { delivery, isRepeat } = open({ readsBack: true });
    expect([command('a'), message('a'), command('b')].map(isRepeat)).toEqual([false, false, false]);
    expect([command('a'), message('a'), command('b')].map(isRepeat)).toEqual([true, true, true]);
    expect(delivery.counts.duplicates).toBe(3);
  });

  it('keeps a flood of messages from pushing out the commands', () => {
    const { isRepeat } = open({ readsBack: true });
    isRepeat(command('a'));
    for (let n = 0; n < 50_000; n += 1) isRepeat(message(String(n)));
    expect(isRepeat(command('a'))).toBe(true);
    expect(isRepeat(message('0'))).toBe(false);
  });

  it('remembers no message when nothing reads messages back', () => {
    const { isRepeat } = open({ readsBack: false });
    expect([message('a'), message('a'), command('a')].map(isRepeat)).toEqual([false, false, false]);
    expect(isRepeat(command('a'))).toBe(true);
  });

  it('lets other events through as often as they come', () => {
    const { isRepeat } = open({ readsBack: true });
    const reaction = event('MESSAGE_REACTION_ADD', { id: 'same', count: 1 });
    expect([reaction, reaction].map(isRepeat)).toEqual([false, false]);
  });

  it.each([[null], ['text'], [{}], [{ interactionId: 7 }]])('lets %j through', (d) => {
    const { isRepeat } = open({ readsBack: true });
    const odd = event('APPLICATION_COMMAND', d);
    expect([odd, odd].map(isRepeat)).toEqual([false, false]);
  });
});
