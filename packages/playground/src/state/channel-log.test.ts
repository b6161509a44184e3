import fc from 'fast-check';
import type { SimMessage, SimMessagePage } from '@virgule/core/simulator-api';
import { describe, expect, it } from 'vitest';
import { ADA, message } from '../../test/sample-world.js';
import {
  EMPTY_LOG,
  MAX_LOG,
  beginLoading,
  receiveNewest,
  receiveOlder,
  upsertMessage,
  type ChannelLog,
} from './channel-log.js';

const at = (second: number) => new Date(1_800_000_000_000 + second * 1000).toISOString();
const said = (content: string, second: number) => message(ADA, content, { createdAt: at(second) });
const contents = (log: typeof EMPTY_LOG) => log.messages.map((item) => item.content);

describe('upsertMessage', () => {
  it('adds a new message at the end', () => {
    const log = upsertMessage(upsertMessage(EMPTY_LOG, said('one', 1)), said('two', 2));
    expect(contents(log)).toEqual(['one', 'two']);
  });

  it('keeps the order of arrival within one millisecond', () => {
    const log = ['a', 'b', 'c'].reduce((all, text) => upsertMessage(all, said(text, 1)), EMPTY_LOG);
    expect(contents(log)).toEqual(['a', 'b', 'c']);
  });

  it('puts a message that comes late where it belongs', () => {
    const log = [said('one', 1), said('three', 3), said('two', 2)].reduce(upsertMessage, EMPTY_LOG);
    expect(contents(log)).toEqual(['one', 'two', 'three']);
  });

  it('replaces a message that changed', () => {
    const first = said('one', 1);
    const log = [first, said('two', 2), { ...first, content: 'edited' }].reduce(
      upsertMessage,
      EMPTY_LOG,
    );
    expect(contents(log)).toEqual(['edited', 'two']);
  });

  it('leaves out a change to a message above the window', () => {
    const log = { ...EMPTY_LOG, messages: [said('newest', 9)], hasOlder: true };
    expect(contents(upsertMessage(log, said('old', 1)))).toEqual(['newest']);
  });

  it('keeps the window short, and knows that more is above', () => {
    let log = EMPTY_LOG;
    for (let second = 0; second < MAX_LOG + 5; second += 1) {
      log = upsertMessage(log, said(String(second), second));
    }
    expect(log.messages).toHaveLength(MAX_LOG);
    expect(log.messages[0]?.content).toBe('5');
    expect(log.hasOlder).toBe(true);
  });
});

describe('receiveNewest', () => {
  it('replaces what was held before a lost connection', () => {
    const log = beginLoading(upsertMessage(EMPTY_LOG, said('stale', 1)), 'newest');
    const fresh = receiveNewest(log, { messages: [said('fresh', 2)], hasMore: true });
    expect(contents(fresh)).toEqual(['fresh']);
    expect(fresh).toMatchObject({ hasOlder: true, loading: null });
  });

  it('keeps messages that arrived while the page was being loaded', () => {
    const first = said('one', 1);
    let log = beginLoading(EMPTY_LOG, 'newest');
    log = upsertMessage(log, { ...first, content: 'one, edited' });
    log = upsertMessage(log, said('two', 2));
    const fresh = receiveNewest(log, { messages: [first], hasMore: false });
    expect(contents(fresh)).toEqual(['one, edited', 'two']);
  });

  it('shows in the end what the channel holds, whenever a page is asked for, made and read', () => {
    const step = fc.constantFrom('say', 'edit', 'ask', 'make', 'read');
    const property = fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let channel = [said('first', 0), said('second', 1)];
      let log: ChannelLog = { ...EMPTY_LOG, messages: channel };
      let page: SimMessagePage | null = null;
      const makePage = () => ({ messages: channel.slice(-3), hasMore: channel.length > 3 });
      const receive = (message: SimMessage): void => {
        log = upsertMessage(log, message);
      };
      steps.forEach((kind, index) => {
        const last = channel.at(-1) ?? said('', 0);
        if (kind === 'say') {
          const news = said(`at ${index}`, index + 2);
          channel = [...channel, news];
          receive(news);
        } else if (kind === 'edit') {
          const news = { ...last, content: `edited at ${index}` };
          channel = channel.with(-1, news);
          receive(news);
        } else if (kind === 'ask') {
          log = beginLoading(log, 'newest');
          page = null;
        } else if (log.loading === 'newest' && kind === 'make') {
          page = makePage();
        } else if (log.loading === 'newest') {
          log = receiveNewest(log, page ?? makePage());
          page = null;
        }
      });
      if (log.loading === 'newest') log = receiveNewest(log, page ?? makePage());
      const shown = log.messages.map(({ id, content }) => [id, content]);
      const newest = channel.slice(-shown.length).map(({ id, content }) => [id, content]);
      expect(shown).toEqual(newest);
    });
    fc.assert(property, { numRuns: 500, seed: 20 });
  });

  it('does not take in a change to a message that is further up', () => {
    let log = beginLoading(EMPTY_LOG, 'newest');
    log = upsertMessage(log, said('far above', 1));
    const fresh = receiveNewest(log, { messages: [said('newest', 9)], hasMore: true });
    expect(contents(fresh)).toEqual(['newest']);
  });
});

describe('receiveOlder', () => {
  it('puts the page in front and drops what is there twice', () => {
    const two = said('two', 2);
    const log = { ...EMPTY_LOG, messages: [two, said('three', 3)], hasOlder: true };
    const more = receiveOlder(log, { messages: [said('one', 1), two], hasMore: false });
    expect(contents(more)).toEqual(['one', 'two', 'three']);
    expect(more.hasOlder).toBe(false);
  });

  it('makes a window longer, whose oldest messages then leave with new ones', () => {
    const messages = Array.from({ length: MAX_LOG }, (_, index) =>
      said(`new ${index}`, 500 + index),
    );
    const log = { ...EMPTY_LOG, messages, hasOlder: true };
    const more = receiveOlder(log, { messages: [said('old', 1)], hasMore: false });
    expect(more.messages).toHaveLength(MAX_LOG + 1);
    const later = upsertMessage(more, said('newest', 2_000));
    expect(later.messages).toHaveLength(MAX_LOG + 1);
    expect([contents(later)[0], contents(later).at(-1)]).toEqual(['new 0', 'newest']);
    expect(later.hasOlder).toBe(true);
  });
});
