import { describe, expect, it } from 'vitest';
import { ADA, BOT_AUTHOR, GENERAL, GRACE, message, snapshot } from '../../test/sample-world.js';
import { NO_TYPING, describeTyping, typingAfter } from './typing.js';

const types = (userId: string, forMs: number) =>
  ({ type: 'typing', channelId: GENERAL.id, userId, forMs }) as const;

describe('typingAfter', () => {
  const typing = typingAfter(NO_TYPING, types(BOT_AUTHOR.id, 8000), 1000);

  it('shows which users type, until the time is up', () => {
    expect(typing.get(GENERAL.id)?.get(BOT_AUTHOR.id)).toBe(9000);
  });

  it('ends with a message of the same author', () => {
    const event = { type: 'message', message: message(BOT_AUTHOR, 'done') } as const;
    expect(typingAfter(typing, event, 2000).get(GENERAL.id)?.size).toBe(0);
  });

  it('continues when another user writes', () => {
    const event = { type: 'message', message: message(ADA, 'hi') } as const;
    expect(typingAfter(typing, event, 2000)).toBe(typing);
  });

  it('drops those whose time is up when the next one starts', () => {
    const next = typingAfter(typing, types(GRACE.id, 8000), 10_000).get(GENERAL.id);
    expect([...(next?.keys() ?? [])]).toEqual([GRACE.id]);
  });

  it('is forgotten with a new snapshot, and not touched by other frames', () => {
    expect(typingAfter(typing, { type: 'snapshot', snapshot: snapshot() }, 0)).toBe(NO_TYPING);
    expect(typingAfter(typing, { type: 'problems', problems: [] }, 0)).toBe(typing);
  });
});

describe('describeTyping', () => {
  it.each([
    [[], ''],
    [['Ada'], 'Ada is typing'],
    [['Ada', 'Grace'], 'Ada and Grace are typing'],
    [['Ada', 'Grace', 'Linus'], 'Ada, Grace and Linus are typing'],
    [['Ada', 'Grace', 'Linus', 'Bot'], 'Several people are typing'],
  ])('says for %j: %s', (names, text) => {
    expect(describeTyping(names)).toBe(text);
  });
});
