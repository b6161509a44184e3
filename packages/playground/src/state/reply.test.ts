import { describe, expect, it } from 'vitest';
import { ADA, GRACE, message } from '../../test/sample-world.js';
import { readReply } from './reply.js';

const original = message(GRACE, 'the original');
const reply = (replyTo: Record<string, unknown> | null) => message(ADA, 'yes', { replyTo });
const find = (id: string) => (id === original.id ? original : undefined);

describe('readReply', () => {
  it('is null for a message that replies to nothing', () => {
    expect(readReply(reply(null), find)).toBeNull();
  });

  it('prefers the loaded message', () => {
    const found = readReply(reply({ messageId: original.id, content: 'stale' }), find);
    expect(found).toEqual({ messageId: original.id, author: 'Grace', text: 'the original' });
  });

  it('shows what the reply carries when the message is not here', () => {
    const found = readReply(
      reply({ messageId: 'x', authorDisplayName: 'linus', content: 'hm' }),
      find,
    );
    expect(found).toEqual({ messageId: 'x', author: 'linus', text: 'hm' });
  });

  it('says that the original was deleted', () => {
    const gone = { ...original, isDeleted: true };
    expect(readReply(reply({ messageId: gone.id }), () => gone)?.text).toBe('Message deleted');
    expect(readReply(reply({ messageId: 'x', isDeleted: true }), find)?.text).toBe(
      'Message deleted',
    );
  });

  it('names a message without text', () => {
    expect(readReply(reply({ messageId: 'x', content: '' }), find)?.text).toBe(
      'an earlier message',
    );
  });
});
