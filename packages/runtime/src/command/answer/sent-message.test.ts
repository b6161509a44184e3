import { describe, expect, it } from 'vitest';
import { refused } from '../../../test/client-failures.js';
import { createFakeRest } from '../../../test/fake-rest.js';
import { CHANNEL, interactionId, MESSAGE, OTHER_USER } from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import { Sent, type SentMessageInit } from './sent-message.js';

const EMOJI = 'c81e5b74-2f0a-1d96-9e33-7b4a60d2f8c5';

function sent(init: Partial<SentMessageInit> = {}) {
  const fake = createFakeRest();
  const message = new Sent({
    rest: fake.rest,
    channelId: CHANNEL,
    content: 'Hello',
    known: undefined,
    ...init,
  });
  const page = (...contents: readonly string[]): void =>
    fake.always('messages.list', {
      messages: contents.map((content, n) =>
        messageWith({
          id: interactionId(n),
          content,
          ...(content.startsWith('theirs') ? { authorId: OTHER_USER, content: 'Hello' } : {}),
        }),
      ),
      hasMore: false,
      oldestId: null,
    });
  return { fake, message, page };
}

describe('SentMessage.message', () => {
  it('is what the platform answered, with no further call', async () => {
    const known = messageWith();
    const { fake, message } = sent({ known });
    expect(await message.message()).toBe(known);
    expect(fake.lines).toEqual([]);
  });

  it('is looked up among the newest of the channel: by the bot, with this text', async () => {
    const { fake, message, page } = sent();
    page('Other', 'theirs', 'Hello', 'Hello');
    expect((await message.message()).id).toBe(interactionId(2));
    expect(fake.lines).toEqual(['users.me', 'messages.list']);
    expect(fake.calls[1]?.args[0]).toBe(CHANNEL);
    await message.message();
    expect(fake.calls).toHaveLength(2);
  });

  it('is the newest one, also on a page that begins with the oldest', async () => {
    const { fake, message } = sent();
    const old = messageWith({ id: interactionId(9), createdAt: '2020-01-01T00:00:00.000Z' });
    const messages = [old, messageWith({ id: interactionId(1) })];
    fake.always('messages.list', { messages, hasMore: false, oldestId: null });
    expect((await message.message()).id).toBe(interactionId(1));
  });

  it('is an error with a code when it is in neither', async () => {
    const { message, page } = sent();
    page('Other', 'theirs');
    await expect(message.message()).rejects.toMatchObject({
      code: 'E_MESSAGE_NOT_FOUND',
      details: { channelId: CHANNEL },
    });
    page('Hello');
    expect((await message.message()).content).toBe('Hello');
  });

  it('has the text after an edit', async () => {
    const shown = sent({ known: messageWith() });
    await shown.message.edit('Edited');
    expect((await shown.message.message()).content).toBe('Edited');

    const reported = sent({ known: messageWith() });
    reported.fake.once('messages.edit', messageWith({ content: 'Edited', isDeleted: true }));
    await reported.message.edit('Edited');
    expect((await reported.message.message()).isDeleted).toBe(true);

    const unseen = sent({ edit: async () => undefined });
    await unseen.message.edit('Edited');
    unseen.page('Hello', 'Edited');
    expect((await unseen.message.message()).id).toBe(interactionId(1));
  });

  it('is found by the text it has now when others edit it too', async () => {
    const { message, page } = sent({ currentContent: () => 'Edited elsewhere' });
    page('Hello', 'Edited elsewhere');
    expect((await message.message()).id).toBe(interactionId(1));
    const early = sent({ currentContent: () => undefined });
    early.page('Hello');
    expect((await early.message.message()).content).toBe('Hello');
  });
});

describe('SentMessage', () => {
  it('has the id that the platform returned, and the text as it is now', async () => {
    const { message } = sent({ known: messageWith() });
    expect([message.id, message.content]).toEqual([MESSAGE, 'Hello']);
    await message.edit('Edited');
    expect([message.id, message.content]).toEqual([MESSAGE, 'Edited']);
    const unseen = sent();
    expect([unseen.message.id, unseen.message.content]).toEqual([undefined, 'Hello']);
    unseen.page('Hello');
    await unseen.message.message();
    expect(unseen.message.id).toBe(interactionId(0));
    expect(sent({ content: '' }).message.content).toBe('');
    expect(sent({ currentContent: () => 'Elsewhere' }).message.content).toBe('Elsewhere');
  });

  it('edits an ordinary message by its id', async () => {
    const { fake, message } = sent({ known: messageWith() });
    await message.edit({ content: 'Edited' });
    expect(fake.calls).toEqual([
      { endpoint: 'messages.edit', args: [CHANNEL, MESSAGE, { content: 'Edited' }] },
    ]);
  });

  it('edits an answer in its own way', async () => {
    const edits: string[] = [];
    const { fake, message } = sent({
      edit: async (content) => {
        edits.push(content);
        return undefined;
      },
    });
    await message.edit('one');
    await message.edit({ content: 'two' });
    expect(edits).toEqual(['one', 'two']);
    expect(fake.calls).toEqual([]);
  });

  it('reacts with a unicode emoji or a custom one', async () => {
    const { fake, message } = sent({ known: messageWith() });
    await message.react('👍');
    await message.react({ customEmojiId: EMOJI });
    expect(fake.calls.map(({ args }) => args)).toEqual([
      [CHANNEL, MESSAGE, { unicodeEmoji: '👍' }],
      [CHANNEL, MESSAGE, { customEmojiId: EMOJI }],
    ]);
  });

  it('takes its reaction back', async () => {
    const { fake, message } = sent({ known: messageWith() });
    await message.unreact('👍');
    await message.unreact({ customEmojiId: EMOJI });
    expect(fake.calls).toEqual([
      { endpoint: 'reactions.remove', args: [CHANNEL, MESSAGE, { unicodeEmoji: '👍' }] },
      { endpoint: 'reactions.remove', args: [CHANNEL, MESSAGE, { customEmojiId: EMOJI }] },
    ]);
  });

  it('takes no files in an edit', async () => {
    const { fake, message: handle } = sent({ known: messageWith() });
    for (const files of [{ files: ['a.png'] }, { attachments: [{ objectKey: 'key' }] }]) {
      const input = { content: 'Edited', ...files } as unknown as string;
      await expect(handle.edit(input)).rejects.toMatchObject({
        code: 'E_ANSWER_INVALID',
        message: 'A message is edited with files; an edit cannot contain files.',
      });
    }
    await handle.edit({ content: 'Edited', files: [] } as unknown as string);
    expect(fake.calls).toHaveLength(1);
  });

  it('finds itself before it is edited, reacted to or deleted', async () => {
    const { fake, message, page } = sent();
    page('Hello');
    await message.delete();
    expect(fake.lines).toEqual(['users.me', 'messages.list', 'messages.delete']);
    expect(fake.calls.at(-1)?.args).toEqual([CHANNEL, interactionId(0)]);
  });

  it('passes on what the platform refuses, and stays as it was', async () => {
    const { fake, message } = sent({ known: messageWith() });
    fake.once('messages.edit', refused(403));
    await expect(message.edit('Edited')).rejects.toMatchObject({ code: 'E_API_REFUSED' });
    expect((await message.message()).content).toBe('Hello');
  });

  it('survives destructuring', async () => {
    const { fake, message } = sent({ known: messageWith() });
    const { edit, react, delete: remove, message: read } = message;
    await edit('Edited');
    await react('👍');
    await remove();
    expect((await read()).content).toBe('Edited');
    expect(fake.calls).toHaveLength(3);
  });
});
