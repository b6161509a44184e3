import { describe, expect, it } from 'vitest';
import { createFakeRest } from '../../test/fake-rest.js';
import { CHANNEL, MESSAGE } from '../../test/ids.js';
import { messageWith } from '../../test/messages.js';
import { createChannelHandle } from './channel-handle.js';

function open() {
  const fake = createFakeRest();
  const { signal } = new AbortController();
  return { fake, signal, channel: createChannelHandle(fake.rest, CHANNEL, { signal }) };
}

describe('ChannelHandle', () => {
  it('sends a text, or a message with files and what it replies to', async () => {
    const { fake, signal, channel } = open();
    await channel.send('Hello');
    const attachments = [{ objectKey: 'key' }];
    await channel.send({ content: 'Look', attachments, replyTo: MESSAGE });
    expect(fake.calls.map(({ args }) => args)).toEqual([
      [
        CHANNEL,
        { content: 'Hello', attachments: undefined, replyToMessageId: undefined },
        { signal },
      ],
      [CHANNEL, { content: 'Look', attachments, replyToMessageId: MESSAGE }, { signal }],
    ]);
  });

  it('gives the message it sent', async () => {
    const { fake, channel } = open();
    fake.once('messages.send', messageWith({ content: 'Hello' }));
    const sent = await channel.send('Hello');
    expect((await sent.message()).id).toBe(MESSAGE);
    await sent.edit('Edited');
    expect(fake.lines).toEqual(['messages.send Hello', 'messages.edit Edited']);
  });

  it('shows that the bot is typing', async () => {
    const { fake, signal, channel } = open();
    await channel.typing();
    expect(fake.calls).toEqual([{ endpoint: 'channels.typing', args: [CHANNEL, { signal }] }]);
  });

  it('survives destructuring', async () => {
    const { fake, channel } = open();
    const { send, typing, id } = channel;
    await typing();
    await send('Hello');
    expect([id, fake.lines]).toEqual([CHANNEL, ['channels.typing', 'messages.send Hello']]);
  });
});
