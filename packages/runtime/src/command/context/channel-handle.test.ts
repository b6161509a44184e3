import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { refused } from '../../../test/client-failures.js';
import { createFakeRest } from '../../../test/fake-rest.js';
import { CHANNEL, MESSAGE } from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import { createRecordedLog } from '../../../test/recorded-log.js';
import { createTestEnvironment } from '../../../test/test-environment.js';
import { scopeOf } from '../lifetime.js';
import { createChannel } from './channel-handle.js';

function open() {
  const fake = createFakeRest();
  const abort = new AbortController();
  const { signal } = abort;
  const clock = createFakeClock();
  const log = createRecordedLog();
  const env = createTestEnvironment({ rest: fake.rest, clock, log });
  const channel = createChannel(CHANNEL, env, scopeOf(signal));
  return { fake, abort, signal, clock, channel, log };
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

  it('warns once of a key that the platform does not support', async () => {
    const { fake, channel, log } = open();
    const odd = { content: 'Look', ...({ embeds: [{}] } as object) };
    await channel.send(odd);
    await channel.send(odd);
    expect(fake.lines).toEqual(['messages.send Look', 'messages.send Look']);
    expect(log.at('warn')).toEqual([
      'send() was called with "embeds", which the platform does not support; it is not sent',
    ]);
  });

  it('returns the message it sent', async () => {
    const { fake, channel } = open();
    fake.once('messages.send', messageWith({ content: 'Hello' }));
    const sent = await channel.send('Hello');
    expect((await sent.message()).id).toBe(MESSAGE);
    await sent.edit('Edited');
    expect(fake.lines).toEqual(['messages.send Hello', 'messages.edit Edited']);
  });

  it('sends files with a text', async () => {
    const { fake, channel } = open();
    await channel.send({ content: 'Look', files: ['cat.png'] });
    expect(fake.calls[0]?.args[1]).toMatchObject({ content: 'Look', files: ['cat.png'] });
  });

  it('splits a text that is too long when it is asked to, the files at the end', async () => {
    const { fake, channel } = open();
    fake.once('messages.send', messageWith({ content: 'first' }));
    const content = Array.from({ length: 500 }, (_, n) => `word${n}`).join(' ');
    const sent = await channel.send({
      content,
      split: true,
      replyTo: MESSAGE,
      files: ['cat.png'],
    });
    const bodies = fake.calls.map(({ args }) => args[1] as Readonly<Record<string, unknown>>);
    expect(bodies.map((body) => body['content']).join(' ')).toBe(content);
    expect(bodies.map((body) => body['replyToMessageId'])).toEqual([MESSAGE, undefined]);
    expect(bodies.map((body) => body['files'])).toEqual([undefined, ['cat.png']]);
    expect((await sent.message()).content).toBe('first');
    await channel.send({ content: 'short', split: true });
    expect(fake.lines.at(-1)).toBe('messages.send short');
  });

  it('sends the parts of a split text in their order, however many they are', async () => {
    const { fake, channel } = open();
    const content = Array.from({ length: 1_500 }, (_, n) => `word${n}`).join(' ');
    await channel.send({ content, split: true, files: ['cat.png'] });
    const bodies = fake.calls.map(({ args }) => args[1] as Readonly<Record<string, unknown>>);
    expect(bodies.length).toBeGreaterThan(3);
    expect(bodies.map((body) => body['content']).join(' ')).toBe(content);
    expect(bodies.filter((body) => body['files'])).toEqual([bodies.at(-1)]);
  });

  it.each([
    ['text', 'word '.repeat(5_000), /word\n…$/],
    ['code', `\`\`\`js\n${'let x = 1;\n'.repeat(2_000)}\`\`\``, /\n```\n…$/],
  ])('sends no more messages of %s than the limit of `split`', async (_, content, end) => {
    const { fake, channel } = open();
    await channel.send({ content, split: { max: 3 }, files: ['cat.png'] });
    const bodies = fake.calls.map(({ args }) => args[1] as { content: string; files?: unknown });
    expect(bodies).toHaveLength(3);
    expect(bodies.every((body) => body.content.length <= 2_000)).toBe(true);
    expect(bodies.at(-1)?.content).toMatch(end);
    expect(bodies.at(-1)?.files).toEqual(['cat.png']);
  });

  it('shows that the bot is typing', async () => {
    const { fake, signal, channel } = open();
    await channel.typing();
    expect(fake.calls).toEqual([{ endpoint: 'channels.typing', args: [CHANNEL, { signal }] }]);
  });

  it('survives destructuring', async () => {
    const { fake, channel } = open();
    const { send, typing, id } = channel;
    const { during } = typing;
    await typing();
    await send('Hello');
    expect(await during(Promise.resolve(7))).toBe(7);
    expect([id, fake.lines]).toEqual([
      CHANNEL,
      ['channels.typing', 'messages.send Hello', 'channels.typing'],
    ]);
  });
});

describe('typing.during', () => {
  it('shows it again before it fades, until the work is done, and returns what the work returns', async () => {
    const { fake, clock, channel } = open();
    const work = channel.typing.during(clock.sleep(15_000).then(() => 'done'));
    await clock.advance(4_799);
    expect(fake.lines).toHaveLength(1);
    await clock.advance(10_201);
    expect(await work).toBe('done');
    expect(fake.lines).toHaveLength(4);
    await clock.advance(60_000);
    expect(fake.lines).toHaveLength(4);
    expect(clock.pending).toBe(0);
  });

  it('takes a function too, and fails as the work fails', async () => {
    const { channel, clock } = open();
    expect(await channel.typing.during(async () => 'async')).toBe('async');
    expect(await channel.typing.during(() => 'at once')).toBe('at once');
    await expect(channel.typing.during(Promise.reject(new Error('no')))).rejects.toThrow('no');
    const broken = (): never => {
      throw new Error('broken');
    };
    await expect(channel.typing.during(broken)).rejects.toThrow('broken');
    await clock.advance(0);
    expect(clock.pending).toBe(0);
  });

  it('does not stop the work when it cannot be shown', async () => {
    const { fake, clock, channel } = open();
    fake.always('channels.typing', refused(403));
    const work = channel.typing.during(clock.sleep(20_000).then(() => 'done'));
    await clock.advance(20_000);
    expect([await work, fake.lines.length]).toEqual(['done', 1]);
  });

  it('ends with the signal, though the work continues', async () => {
    const { fake, abort, clock, channel } = open();
    const work = channel.typing.during(clock.sleep(20_000));
    await clock.advance(100);
    abort.abort();
    await clock.advance(19_900);
    await work;
    expect(fake.lines).toHaveLength(1);
    void channel.typing.during(clock.sleep(10));
    await clock.advance(10);
    expect(fake.lines).toHaveLength(1);
  });
});
