import type { Message } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import type { GatewayOptions } from '@virgule/client/gateway';
import { runs } from '../../core/test/fixtures/property-runs.js';
import { created, message as messageOf } from './backfill-gateway.js';
import { connectGateway, live, makeReady, READY } from './test-gateway.js';
import { CHANNEL } from './test-rest.js';

const MINUTE_MS = 60_000;
/** A day in `npm run test:all`. */
const QUIET_HOURS = runs(24);
const BOT_USER: string = Object(READY).d.botUserId;

const message = (id: string, second: number): Message => ({
  ...messageOf(id, second),
  authorId: 'ada',
});

/** A gateway whose connection is READY, and that has received one message; the channel has these messages. */
function start(newest: () => readonly Message[] | Error, options: Partial<GatewayOptions> = {}) {
  const read: string[] = [];
  const test = connectGateway({
    silenceCheck: {
      messages: {
        async *history(channelId, { limit }) {
          expect(limit).toBe(200);
          read.push(channelId);
          const messages = newest();
          if (messages instanceof Error) throw messages;
          yield* messages;
        },
      },
    },
    ...options,
  });
  makeReady(test);
  test.sockets.last.frame(created(message('first', 0)));
  return { ...test, read };
}

const reconnects = ({ statuses }: Pick<ReturnType<typeof start>, 'statuses'>) =>
  statuses.filter(({ state }) => state === 'reconnecting').length;

describe('a READY connection without events', () => {
  it('is replaced within 6 minutes if there are new messages, with a gap since the last event', async () => {
    const test = start(() => [message('missed', 240), message('first', 0)]);
    await live(test, 5 * MINUTE_MS - 1);
    expect([reconnects(test), test.read]).toEqual([0, []]);
    await live(test, 1_000);
    makeReady(test);
    await live(test, MINUTE_MS);
    expect(test.read).toEqual([CHANNEL]);
    expect(test.gateway.counts.silences).toBe(1);
    expect(test.statuses.map(({ state }) => state)).toEqual([
      'ready',
      'reconnecting',
      'gap',
      'ready',
    ]);
    expect(test.statuses[2]).toMatchObject({
      from: '2026-01-01T00:00:00.000Z',
      reason: 'there are new messages, but no events',
    });
  });

  it('is replaced again only for messages after the replacement', async () => {
    const test = start(() => [message('missed', 240)]);
    await live(test, 5 * MINUTE_MS + 1_000);
    makeReady(test);
    await live(test, 60 * MINUTE_MS);
    expect(reconnects(test)).toBe(1);
  });

  it.each<[what: string, newest: () => readonly Message[] | Error]>([
    ['there are no newer messages', () => [message('first', 0)]],
    ['the clock of this machine is slow', () => [message('first', 3_600)]],
    ['a message is hardly newer, as clocks differ', () => [message('next', 60)]],
    ['only the bot itself wrote', () => [{ ...message('own', 86_000), authorId: BOT_USER }]],
    ['the time of the message cannot be read', () => [{ ...message('odd', 0), createdAt: '' }]],
    ['the channel is empty', () => []],
    ['the channel cannot be read', () => new Error('no')],
  ])('stays for hours if %s', async (_, newest) => {
    const test = start(newest);
    await live(test, QUIET_HOURS * 60 * MINUTE_MS);
    expect(reconnects(test)).toBe(0);
    expect(test.read).toHaveLength(QUIET_HOURS * 12);
  });

  it.each<[what: string, options: Partial<GatewayOptions>]>([
    ['that is not subscribed to messages', { intents: ['APPLICATION_COMMANDS'] }],
    ['without the check', { silenceCheck: undefined }],
  ])('stays for a bot %s', async (_, options) => {
    const test = start(() => [message('missed', 240)], options);
    await live(test, 10 * MINUTE_MS);
    expect([reconnects(test), test.read]).toEqual([0, []]);
  });

  it('is not checked while events arrive, after a loss, and after close', async () => {
    const test = start(() => [message('missed', 86_000)]);
    await live(test, 4 * MINUTE_MS);
    test.sockets.last.frame({ op: 'DISPATCH', t: 'TYPING', d: {} });
    await live(test, 4 * MINUTE_MS);
    test.sockets.last.hangUp(1006);
    await test.clock.advance(10 * MINUTE_MS);
    await test.gateway.close();
    await test.clock.advance(10 * MINUTE_MS);
    expect(test.read).toEqual([]);
  });
});
