import { DEFAULT_PROFILE } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import {
  alreadyAnswered,
  gone,
  outcomeUnknown,
  rateLimited,
  refused,
  timedOut,
  unreachable,
} from '../../test/client-failures.js';
import { createFakeRest } from '../../test/fake-rest.js';
import { interactionId } from '../../test/ids.js';
import { messageWith } from '../../test/messages.js';
import { createRecordedLog } from '../../test/recorded-log.js';
import { settle } from '../../test/test-bot.js';
import { Interaction } from './interaction.js';

function start() {
  const fake = createFakeRest();
  const log = createRecordedLog();
  const interaction = new Interaction({
    id: interactionId(1),
    commandName: 'x',
    calls: fake.rest.interactions,
    profile: DEFAULT_PROFILE,
    log,
  });
  return { fake, log, interaction };
}

describe('Interaction', () => {
  it('creates the answer once and then edits it', async () => {
    const { fake, interaction } = start();
    await interaction.write({ content: 'one' });
    await interaction.write({ content: 'two' });
    expect(fake.lines).toEqual(['respond one', 'edit two']);
    expect([interaction.state, interaction.content]).toEqual(['answered', 'two']);
  });

  it('replies with the answer, then with follow-ups', async () => {
    const { fake, interaction } = start();
    fake.once('interactions.respond', messageWith({ content: 'one' }));
    const first = await interaction.reply({ content: 'one' });
    const second = await interaction.reply({ content: 'two' });
    expect(fake.lines).toEqual(['respond one', 'followUp two']);
    expect(first).toEqual({ message: messageWith({ content: 'one' }), isAnswer: true });
    expect(second).toEqual({ message: undefined, isAnswer: false });
    expect(interaction.content).toBe('one');
  });

  it('sends text, files and what it replies to, for an answer and for a follow-up', async () => {
    const { fake, interaction } = start();
    const attachments = [{ objectKey: 'uploads/1' }];
    await interaction.reply({ content: 'one', attachments, replyTo: interactionId(9) });
    await interaction.reply({ content: 'two', attachments });
    expect(fake.calls.map(({ args }) => args)).toEqual([
      [interactionId(1), { content: 'one', attachments, replyToMessageId: interactionId(9) }],
      [interactionId(1), { content: 'two', attachments, replyToMessageId: undefined }],
    ]);
  });

  it('fills in a deferred interaction by the response endpoint', async () => {
    const { fake, interaction } = start();
    await interaction.defer();
    expect(interaction.state).toBe('deferred');
    await interaction.write({ content: 'one' });
    expect(fake.lines).toEqual(['defer', 'respond one']);
  });

  it('defers and acknowledges only while nothing was sent', async () => {
    const { fake, interaction } = start();
    await interaction.acknowledge();
    await interaction.defer();
    await interaction.acknowledge();
    expect([fake.lines, interaction.state]).toEqual([['ack'], 'acknowledged']);
    await interaction.write({ content: 'one' });
    await interaction.defer();
    expect(fake.lines).toEqual(['ack', 'respond one']);
  });

  it('lets an answer wait for the defer that is on its way', async () => {
    const { fake, interaction } = start();
    const held = fake.hold('interactions.defer');
    const deferring = interaction.defer();
    const writing = interaction.write({ content: 'one' });
    await settle();
    expect(fake.lines).toEqual(['defer']);
    held.settle();
    await Promise.all([deferring, writing]);
    expect(fake.lines).toEqual(['defer', 'respond one']);
  });

  it('does not defer behind an answer that is on its way', async () => {
    const { fake, interaction } = start();
    const held = fake.hold('interactions.respond');
    const writing = interaction.write({ content: 'one' });
    const deferring = interaction.defer();
    await settle();
    held.settle();
    await Promise.all([writing, deferring]);
    expect(fake.lines).toEqual(['respond one']);
  });

  it('defers and answers in order when both are wished for in the same tick', async () => {
    const { fake, interaction } = start();
    await Promise.all([
      interaction.defer(),
      interaction.write({ content: 'one' }),
      interaction.reply({ content: 'two' }),
      interaction.write({ content: 'three' }),
    ]);
    expect(fake.lines).toEqual(['defer', 'respond one', 'followUp two', 'edit three']);
  });

  describe('when the outcome of an answer is unknown', () => {
    it('finds the answer by an edit, and never creates a second one', async () => {
      const { fake, log, interaction } = start();
      fake.once('interactions.respond', outcomeUnknown());
      fake.once('interactions.editResponse', messageWith({ content: 'one' }));
      await expect(interaction.write({ content: 'one' })).resolves.toEqual({
        message: messageWith({ content: 'one' }),
        isAnswer: true,
      });
      await interaction.write({ content: 'two' });
      expect(fake.lines).toEqual(['respond one', 'edit one', 'edit two']);
      expect(log.at('warn')).toEqual([
        'It is unknown whether the answer arrived. Trying to edit it.',
      ]);
    });

    it.each([
      ['gone', gone()],
      ['refused as not answered', alreadyAnswered()],
      ['unknown too', outcomeUnknown()],
      ['out of reach', unreachable()],
    ])('gives up when the edit is %s', async (_, error) => {
      const { fake, interaction } = start();
      const unknown = outcomeUnknown();
      fake.once('interactions.respond', unknown);
      fake.once('interactions.editResponse', error);
      await expect(interaction.write({ content: 'one' })).rejects.toBe(unknown);
      expect(interaction.state).toBe('failed');
      await expect(interaction.write({ content: 'two' })).rejects.toMatchObject({
        code: 'E_INTERACTION_EXPIRED',
        details: { commandName: 'x', interactionId: interactionId(1), state: 'failed' },
      });
      await expect(interaction.reply({ content: 'three' })).rejects.toMatchObject({
        code: 'E_INTERACTION_EXPIRED',
      });
      expect(fake.lines).toEqual(['respond one', 'edit one']);
    });
  });

  it('answers again after an answer that was provably never sent', async () => {
    for (const error of [unreachable(), rateLimited(), timedOut(false), refused(400)]) {
      const { fake, interaction } = start();
      fake.once('interactions.respond', error);
      await expect(interaction.write({ content: 'one' })).rejects.toBe(error);
      expect(interaction.state).toBe('received');
      await interaction.write({ content: 'two' });
      expect(fake.lines).toEqual(['respond one', 'respond two']);
    }
  });

  it.each([gone(), refused(410)])(
    'says that it expired when the platform no longer knows it (%#)',
    async (error) => {
      const { fake, interaction } = start();
      fake.once('interactions.respond', error);
      await expect(interaction.write({ content: 'one' })).rejects.toMatchObject({
        code: 'E_INTERACTION_EXPIRED',
        cause: error,
        message: '/x was not answered in time (expired): the platform no longer takes an answer.',
      });
      await expect(interaction.write({ content: 'two' })).rejects.toMatchObject({
        code: 'E_INTERACTION_EXPIRED',
      });
      await interaction.defer();
      await interaction.acknowledge();
      expect(fake.lines).toEqual(['respond one']);
    },
  );

  it('is answered when the platform says that there is an answer already', async () => {
    const { fake, interaction } = start();
    fake.once('interactions.respond', alreadyAnswered());
    await expect(interaction.write({ content: 'one' })).rejects.toMatchObject({
      code: 'E_API_REFUSED',
    });
    await interaction.write({ content: 'two' });
    expect(fake.lines).toEqual(['respond one', 'edit two']);
  });

  it('takes a defer that may have arrived for one that did', async () => {
    for (const error of [outcomeUnknown(), timedOut(true), refused(502)]) {
      const { fake, interaction } = start();
      fake.once('interactions.defer', error);
      await expect(interaction.defer()).rejects.toBe(error);
      expect(interaction.state).toBe('deferred');
    }
  });

  it('stays open after a defer or an acknowledgement that failed', async () => {
    const { fake, interaction } = start();
    fake.once('interactions.defer', unreachable());
    fake.once('interactions.ack', refused(502));
    await expect(interaction.defer()).rejects.toThrow('cannot be reached');
    await expect(interaction.acknowledge()).rejects.toThrow('refused with 502');
    expect(interaction.state).toBe('received');
    await interaction.acknowledge();
    expect(interaction.state).toBe('acknowledged');
  });

  it('goes on with the next wish after one that failed', async () => {
    const { fake, interaction } = start();
    fake.once('interactions.respond', refused(403));
    const first = interaction.write({ content: 'one' });
    const second = interaction.write({ content: 'two' });
    await expect(first).rejects.toThrow('403');
    await second;
    expect(fake.lines).toEqual(['respond one', 'respond two']);
  });

  it('refuses files in an edit, and sends nothing', async () => {
    const { fake, interaction } = start();
    await interaction.write({ content: 'one', attachments: [{ objectKey: 'a' }] });
    await expect(
      interaction.write({ content: 'two', attachments: [{ objectKey: 'b' }] }),
    ).rejects.toMatchObject({ code: 'E_EDIT_WITH_FILES', details: { commandName: 'x' } });
    await interaction.write({ content: 'three', attachments: [] });
    expect(fake.lines).toEqual(['respond one', 'edit three']);
  });

  it('refuses a text that is empty or too long, and sends nothing', async () => {
    const { fake, interaction } = start();
    await expect(interaction.write({ content: '' })).rejects.toMatchObject({
      code: 'E_CONTENT_LENGTH',
      details: { length: 0 },
      hint: 'Return null if silence is meant.',
    });
    await expect(interaction.reply({ content: 'x'.repeat(2_001) })).rejects.toMatchObject({
      code: 'E_CONTENT_LENGTH',
      details: { length: 2_001 },
    });
    expect(fake.lines).toEqual([]);
    await interaction.write({ content: 'x'.repeat(2_000) });
    expect(fake.calls).toHaveLength(1);
  });

  it('refuses content that is no text', async () => {
    const { interaction } = start();
    const content = 7 as unknown as string;
    await expect(interaction.write({ content })).rejects.toMatchObject({
      code: 'E_ANSWER_TYPE',
      details: { saw: 'number' },
    });
  });

  it('tells why the last thing could not be written, until something can', async () => {
    const { fake, interaction } = start();
    const error = refused(403);
    fake.once('interactions.respond', error);
    await expect(interaction.reply({ content: 'one' })).rejects.toBe(error);
    expect(interaction.failure).toEqual({ error });
    await interaction.defer();
    expect(interaction.failure).toEqual({ error });
    await interaction.reply({ content: 'two' });
    expect(interaction.failure).toBeUndefined();
  });

  it('is idle when everything wished for had its turn, well or not', async () => {
    const { fake, interaction } = start();
    const held = fake.hold('interactions.respond');
    const writing = interaction.write({ content: 'one' });
    let isIdle = false;
    const idle = interaction.idle().then(() => (isIdle = true));
    await settle();
    expect(isIdle).toBe(false);
    held.settle(refused(403));
    await expect(writing).rejects.toThrow('403');
    await idle;
  });
});
