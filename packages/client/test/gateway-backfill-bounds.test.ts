import { describe, expect, it } from 'vitest';
import {
  connectWithBackfill,
  created,
  message,
  OTHER_CHANNEL,
  logged,
} from './backfill-gateway.js';
import { CHANNEL } from './test-rest.js';

describe('backfill', () => {
  it.each([
    ['goes by the last message of each of 10,000 channels', 9_999, ['missed*']],
    ['forgets the oldest of more, and goes by the gap there', 20_000, []],
  ])('%s', async (_name, others, recovered) => {
    const test = connectWithBackfill();
    test.sockets.last.frame(created(message('seen', -600)));
    for (let n = 0; n < others; n += 1)
      test.sockets.last.frame(created(message(`m${n}`, 0, `channel-${n}`)));
    await test.loseConnection();
    const before = test.events.length;
    await test.answer([message('missed', -300), message('seen', -600)]);
    expect(logged(test).slice(before)).toEqual(recovered);
  });

  it('keeps a channel whose last message is new, and forgets the one that was silent longest', async () => {
    const test = connectWithBackfill(() => [CHANNEL, OTHER_CHANNEL]);
    test.sockets.last.frame(created(message('first', -700, CHANNEL)));
    test.sockets.last.frame(created(message('silent', -600, OTHER_CHANNEL)));
    for (let n = 0; n < 20_000; n += 1) {
      if (n === 10_000) test.sockets.last.frame(created(message('again', -600, CHANNEL)));
      test.sockets.last.frame(created(message(`m${n}`, 0, `channel-${n}`)));
    }
    await test.loseConnection();
    const before = test.events.length;
    for (const channelId of [CHANNEL, OTHER_CHANNEL])
      await test.answer([message(`missed in ${channelId}`, -300, channelId)]);
    expect(logged(test).slice(before)).toEqual([`missed in ${CHANNEL}*`]);
  });

  it('reads the channels in which messages came before, when none are named', async () => {
    const test = connectWithBackfill(null);
    test.sockets.last.frame(created(message('first', 0)));
    test.sockets.last.frame(created(message('second', 1, OTHER_CHANNEL)));
    await test.loseConnection();
    expect(test.asked).toEqual([OTHER_CHANNEL, CHANNEL]);
    await test.answer([message('missed', 2, OTHER_CHANNEL)]);
    await test.answer([]);
    expect(logged(test)).toEqual(['first', 'second', 'missed*']);
  });

  it('reads 500 messages of a channel, and says that it reads no more', async () => {
    const test = connectWithBackfill();
    await test.loseConnection();
    for (let page = 10; page > 0; page -= 1) {
      const messages = Array.from({ length: 50 }, (_, n) => message(`m${page * 50 - n}`, page));
      await test.answer(messages, { hasMore: true });
    }
    expect(test.asked).toHaveLength(10);
    expect(logged(test)).toEqual(Array.from({ length: 500 }, (_, n) => `m${n + 1}*`));
    const line = 'no more missed messages are read in a channel';
    expect(test.log.filter((each) => each.includes(line))).toHaveLength(1);
  });

  it('reads back to the time of the last message, no page further', async () => {
    const test = connectWithBackfill();
    test.sockets.last.frame(created(message('seen', 5)));
    await test.loseConnection();
    await test.answer([message('c', 8), message('b', 7)], { hasMore: true });
    await test.answer([message('a', 6), message('older', 4)], { hasMore: true });
    expect(test.asked).toHaveLength(2);
    expect(logged(test)).toEqual(['seen', 'a*', 'b*', 'c*']);
  });

  it('delivers no item that is no message', async () => {
    const test = connectWithBackfill();
    await test.loseConnection();
    const odd = [5, 'x', true, [], {}, { id: 7 }] as unknown as ReturnType<typeof message>[];
    await test.answer([message('b', 8), ...odd, message('a', 7)]);
    expect(logged(test)).toEqual(['a*', 'b*']);
  });

  it('keeps the order of messages of one moment, and does not mind pages in another order', async () => {
    const test = connectWithBackfill();
    await test.loseConnection();
    await test.answer([message('c', 1), message('b', 1), message('a', 1)]);
    await test.loseConnection();
    await test.answer([message('d', 2), message('e', 3), message('f', 4)]);
    expect(logged(test)).toEqual(['a*', 'b*', 'c*', 'd*', 'e*', 'f*']);
  });

  it('reads one whose time cannot be read, and leaves out what was deleted', async () => {
    const test = connectWithBackfill();
    await test.loseConnection();
    await test.answer([
      { ...message('gone', 3), isDeleted: true },
      { ...message('odd', 2), createdAt: 'yesterday' },
      message('a', 1),
    ]);
    expect(logged(test)).toEqual(['a*', 'odd*']);
  });

  it('delivers what it read of a channel when a page cannot be read, or is the same again', async () => {
    for (const next of [new Error('500'), [message('a', 1)]]) {
      const test = connectWithBackfill();
      await test.loseConnection();
      await test.answer([message('b', 2), message('a', 1)], { hasMore: true });
      await test.answer(next, { hasMore: true });
      expect(logged(test)).toEqual(['a*', 'b*']);
      expect(test.asked).toHaveLength(2);
      expect(test.log.filter((line) => line.includes('could not be read'))).toHaveLength(1);
    }
  });

  it('does not hold back what belongs to no channel', async () => {
    const test = connectWithBackfill();
    await test.loseConnection();
    for (const d of [{ serverId: 'a', name: 'Renamed' }, { channelId: 7 }, null])
      test.sockets.last.frame({ op: 'DISPATCH', t: 'SERVER_UPDATE', d });
    expect(test.events.map(({ t }) => t)).toEqual(Array(3).fill('SERVER_UPDATE'));
  });

  it('lets the events of a channel go that is watched no longer when the next gap ends', async () => {
    let watched = [CHANNEL, OTHER_CHANNEL];
    const test = connectWithBackfill(() => watched);
    await test.loseConnection();
    test.sockets.last.frame(created(message('dropped', 5)));
    test.sockets.last.frame(created(message('kept', 5, OTHER_CHANNEL)));
    expect(logged(test)).toEqual([]);
    watched = [OTHER_CHANNEL];
    await test.loseConnection();
    expect(logged(test)).toEqual(['dropped']);
    expect(test.asked.slice(2)).toEqual([OTHER_CHANNEL]);
  });

  it('does not take the answer to a reading that was given up, however late it comes', async () => {
    const test = connectWithBackfill(undefined, { heedsSignal: false });
    await test.loseConnection();
    await test.loseConnection();
    test.sockets.last.frame(created(message('live', 5)));
    await test.answer([message('late', 1)]);
    expect(logged(test)).toEqual([]);
    await test.answer([message('live', 5), message('missed', 2)]);
    expect(logged(test)).toEqual(['missed*', 'live']);
  });
});
