import { createFakeClock } from '@virgule/core/clock';
import { resolveProfile, type ProfileSettings } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import {
  aborted,
  alreadyAnswered,
  gone,
  outcomeUnknown,
  rateLimited,
  refused,
  timedOut,
  unreachable,
} from '../../../test/client-failures.js';
import { createFakeRest } from '../../../test/fake-rest.js';
import { BOT_USER, interactionId } from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import { openInteraction } from '../../../test/open-interaction.js';
import { settle } from '../../../test/test-bot.js';

function start(settings: ProfileSettings = {}) {
  const fake = createFakeRest();
  const clock = createFakeClock();
  const profile = resolveProfile(settings);
  return { fake, clock, ...openInteraction(fake.rest.interactions, clock, { profile }) };
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
    expect([first.answer.message(), first.isAnswer]).toEqual([
      messageWith({ content: 'one' }),
      true,
    ]);
    expect([second.answer.message(), second.isAnswer]).toEqual([undefined, false]);
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

  it('lets an answer wait for the defer that is in flight', async () => {
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

  it('does not defer behind an answer that is in flight', async () => {
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
      const written = await interaction.write({ content: 'one' });
      expect([written.answer.message(), written.isAnswer]).toEqual([
        messageWith({ content: 'one' }),
        true,
      ]);
      await interaction.write({ content: 'two' });
      expect(fake.lines).toEqual(['respond one', 'edit one', 'edit two']);
      expect(log.at('warn')).toEqual([
        'it is unknown whether the answer of /x arrived; trying to edit it',
      ]);
    });

    it.each([
      ['gone', gone()],
      ['refused as not answered', alreadyAnswered()],
      ['refused with the status and the code for nothing to edit', refused(400, 'bot_nothing')],
    ])('makes something to fill in when the edit is %s', async (_, error) => {
      const nothingToEdit = { status: 400, code: 'bot_nothing' };
      const { fake, interaction } = start({ refusals: { nothingToEdit } });
      fake.once('interactions.respond', outcomeUnknown());
      fake.once('interactions.editResponse', error);
      await interaction.write({ content: 'one' });
      expect(fake.lines).toEqual(['respond one', 'edit one', 'defer', 'edit one']);
      expect(interaction.state).toBe('answered');
      await interaction.reply({ content: 'two' });
      expect(fake.lines.at(-1)).toBe('followUp two');
    });

    it('says that it expired when there is nothing to edit and nothing to defer', async () => {
      const { fake, interaction } = start();
      fake.once('interactions.respond', outcomeUnknown());
      fake.once('interactions.editResponse', gone());
      fake.once('interactions.defer', gone());
      await expect(interaction.write({ content: 'one' })).rejects.toMatchObject({
        code: 'E_INTERACTION_EXPIRED',
        message: expect.stringContaining('could not be answered before it expired: '),
        details: { commandName: 'x', interactionId: interactionId(1), state: 'expired' },
      });
      await expect(interaction.reply({ content: 'two' })).rejects.toMatchObject({
        code: 'E_INTERACTION_EXPIRED',
      });
      expect(fake.lines).toEqual(['respond one', 'edit one', 'defer']);
    });

    it.each([
      ['unknown too', refused(502)],
      ['out of reach', unreachable()],
      ['rate limited', rateLimited()],
    ])('edits again when the edit is %s', async (_, error) => {
      const { fake, clock, interaction } = start();
      fake.once('interactions.respond', outcomeUnknown());
      fake.once('interactions.editResponse', error);
      const writing = interaction.write({ content: 'one' });
      await clock.advance(61_000);
      await writing;
      expect(fake.lines).toEqual(['respond one', 'edit one', 'edit one']);
    });

    it('begins again with the edit when the defer did not get through', async () => {
      const { fake, clock, interaction } = start();
      fake.once('interactions.respond', outcomeUnknown());
      fake.once('interactions.editResponse', gone());
      fake.once('interactions.editResponse', gone());
      fake.once('interactions.defer', unreachable());
      const writing = interaction.write({ content: 'one' });
      await clock.advance(1_000);
      await writing;
      expect(fake.lines).toEqual([
        'respond one',
        'edit one',
        'defer',
        'edit one',
        'defer',
        'edit one',
      ]);
    });

    it('gives up when not even a thinking state can be filled in, and creates no second one', async () => {
      const { fake, interaction } = start();
      fake.once('interactions.respond', outcomeUnknown());
      fake.always('interactions.editResponse', refused(409, 'bot_no'));
      await expect(interaction.write({ content: 'one' })).rejects.toMatchObject({
        code: 'E_API_REFUSED',
      });
      await expect(interaction.reply({ content: 'two' })).rejects.toThrow('409');
      expect(fake.lines).toEqual(['respond one', 'edit one', 'defer', 'edit one', 'edit two']);
      expect(interaction.state).toBe('reopened');
    });

    it('lets a later text settle it', async () => {
      const { fake, interaction } = start();
      fake.once('interactions.respond', outcomeUnknown());
      fake.once('interactions.editResponse', refused(403));
      await expect(interaction.write({ content: 'one' })).rejects.toThrow('403');
      await interaction.reply({ content: 'two' });
      expect(fake.lines).toEqual(['respond one', 'edit one', 'edit two']);
    });

    it('sends the files after a text that was filled in', async () => {
      const attachments = [{ objectKey: 'a' }];
      const withFiles = { ...messageWith({ content: 'one' }), attachments: [{ id: 'a' }] };
      for (const [isDeferred, edited, followUps] of [
        // The answer existed, with its files.
        [false, undefined, 0],
        // An edit may have filled in the thinking state as well: the returned message shows which.
        [true, withFiles, 0],
        [true, messageWith({ content: 'one' }), 1],
        // The response shows no message: sending files twice is better than losing them.
        [true, undefined, 1],
        // The answer did not exist.
        [false, gone(), 1],
        [true, gone(), 1],
      ] as const) {
        const { fake, log, interaction } = start();
        if (isDeferred) await interaction.defer();
        fake.once('interactions.respond', outcomeUnknown());
        fake.once('interactions.editResponse', edited);
        await interaction.write({ content: 'one', attachments });
        expect(fake.lines.filter((line) => line.startsWith('followUp'))).toHaveLength(followUps);
        expect(interaction.content).toBe('one');
        expect(log.at('warn')).toHaveLength(1);
      }
    });
  });

  it.each([
    ['could not be sent', unreachable(), ['respond one', 'respond one']],
    ['was not sent in time', timedOut(false), ['respond one', 'respond one']],
    ['was rate limited', rateLimited(), ['respond one', 'defer', 'respond one']],
  ])('answers again after an answer that %s', async (_, error, lines) => {
    const { fake, clock, log, interaction } = start();
    fake.once('interactions.respond', error);
    const writing = interaction.write({ content: 'one' });
    await clock.advance(61_000);
    await writing;
    expect(fake.lines).toEqual(lines);
    expect(log.at('warn')).toEqual(['a call of /x failed; retrying']);
    expect(clock.pending).toBe(0);
  });

  it('sends later messages after the one that is pursued', async () => {
    const { fake, clock, interaction } = start();
    fake.once('interactions.respond', unreachable());
    const all = Promise.all([
      interaction.reply({ content: 'one' }),
      interaction.reply({ content: 'two' }),
      interaction.write({ content: 'three' }),
    ]);
    await clock.advance(1_000);
    await all;
    expect(fake.lines).toEqual(['respond one', 'respond one', 'followUp two', 'edit three']);
  });

  it('tries once what is pursued by its caller', async () => {
    const { fake, clock, interaction } = start();
    const { signal } = new AbortController();
    fake.once('interactions.respond', unreachable());
    await expect(interaction.write({ content: 'one' }, { signal })).rejects.toThrow('reached');
    expect(clock.pending).toBe(0);
    await interaction.write({ content: 'two' }, { signal });
    expect(fake.lines).toEqual(['respond one', 'respond two']);
  });

  it('settles by what comes next what its caller has ended', async () => {
    const { fake, interaction } = start();
    const stop = new AbortController();
    fake.once('interactions.respond', () => {
      stop.abort();
      throw aborted(true);
    });
    const { signal } = stop;
    await expect(interaction.write({ content: 'state' }, { signal })).rejects.toThrow('aborted');
    await interaction.write({ content: 'final' });
    expect(fake.lines).toEqual(['respond state', 'edit final']);

    const waiting = start();
    waiting.fake.once('interactions.respond', aborted(false));
    await waiting.interaction.write({ content: 'state' }, { signal }).catch(() => {});
    await waiting.interaction.write({ content: 'final' });
    expect(waiting.fake.lines).toEqual(['respond state', 'respond final']);
  });

  it('retries until the window ends, which starts again with the defer', async () => {
    const { fake, clock, interaction } = start();
    fake.always('interactions.respond', unreachable());
    await clock.advance(2_000);
    await interaction.defer();
    const writing = interaction.write({ content: 'one' });
    const failed = writing.catch((error: unknown) => error);
    await clock.advance(15 * 60_000 - 2_000);
    expect(interaction.messages.isSettled).toBe(false);
    await clock.advance(2_000);
    expect(await failed).toMatchObject({ code: 'E_UNREACHABLE' });
    expect([interaction.messages.isSettled, clock.pending]).toEqual([true, 0]);
  });

  it.each(['end of the bot', 'end of the run'])('gives up at the %s', async (what) => {
    const { fake, clock, ending, interaction } = start();
    fake.always('interactions.respond', rateLimited());
    fake.always('interactions.defer', rateLimited());
    const failed = interaction.write({ content: 'one' }).catch((error: unknown) => error);
    await clock.advance(10);
    if (what === 'end of the bot') ending.abort();
    else interaction.end();
    expect(await failed).toMatchObject({ code: 'E_RATE_LIMITED' });
    await expect(interaction.write({ content: 'two' })).rejects.toThrow('rate limited');
    expect([fake.lines.at(-1), clock.pending]).toEqual(['respond two', 0]);
  });

  it('says that an answer that was deleted cannot be edited', async () => {
    const { fake, interaction } = start();
    await interaction.write({ content: 'one' });
    fake.once('interactions.editResponse', gone());
    await expect(interaction.write({ content: 'two' })).rejects.toMatchObject({
      code: 'E_INTERACTION_EXPIRED',
      message: 'The answer of /x can no longer be edited: it was deleted, or its time is over.',
    });
  });

  it('says that a follow-up is too late, and what to use instead', async () => {
    const { fake, interaction } = start();
    await interaction.write({ content: 'one' });
    fake.once('interactions.followUp', gone());
    await expect(interaction.reply({ content: 'two' })).rejects.toMatchObject({
      code: 'E_INTERACTION_EXPIRED',
      message: '/x was answered, and its time for further messages is over.',
      hint: 'Send them with here.send().',
    });
  });

  it('still sends follow-ups when its answer was deleted', async () => {
    const { fake, interaction } = start();
    await interaction.write({ content: 'one' });
    fake.once('interactions.editResponse', gone());
    await expect(interaction.write({ content: 'two' })).rejects.toThrow('it was deleted');
    await interaction.reply({ content: 'three' });
    expect(fake.lines).toEqual(['respond one', 'edit two', 'followUp three']);
  });

  it('gives up as soon as it is known that it expired', async () => {
    const { fake, clock, interaction } = start();
    fake.once('interactions.respond', rateLimited());
    fake.once('interactions.defer', gone());
    await expect(interaction.write({ content: 'one' })).rejects.toMatchObject({
      code: 'E_INTERACTION_EXPIRED',
      message: expect.stringContaining('before it expired: '),
    });
    expect([fake.lines, clock.pending]).toEqual([['respond one', 'defer'], 0]);
  });

  it.each([gone(), refused(410)])(
    'says that it expired when the platform no longer knows it (%#)',
    async (error) => {
      const { fake, interaction } = start();
      fake.once('interactions.respond', error);
      await expect(interaction.write({ content: 'one' })).rejects.toMatchObject({
        code: 'E_INTERACTION_EXPIRED',
        cause: error,
        message: '/x was not answered in time (expired): the platform no longer accepts an answer.',
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

  it('treats a defer that may have arrived as one that did, and verifies it', async () => {
    for (const error of [outcomeUnknown(), timedOut(true), refused(502)]) {
      if (error.code === 'E_OUTCOME_UNKNOWN')
        Object.assign(error.details, { repeatIsHarmless: true });
      const { fake, clock, interaction } = start();
      fake.once('interactions.defer', error);
      await interaction.defer();
      expect([interaction.state, fake.lines]).toEqual(['deferred', ['defer']]);
      await clock.advance(1_000);
      expect(fake.lines).toEqual(['defer', 'defer']);
      await clock.advance(10_000);
      expect([interaction.state, fake.lines.length, clock.pending]).toEqual(['deferred', 2, 0]);
    }
  });

  it.each([
    ['could not be sent', unreachable()],
    ['is rate limited', rateLimited()],
  ])('continues with a defer that %s, and lets an answer go first', async (_, error) => {
    const { fake, clock, log, interaction } = start();
    fake.always('interactions.defer', error);
    await interaction.defer();
    await interaction.defer();
    expect([interaction.state, fake.lines]).toEqual(['received', ['defer']]);
    await interaction.write({ content: 'one' });
    expect(fake.lines).toEqual(['defer', 'respond one']);
    interaction.end();
    await clock.advance(0);
    expect([clock.pending, log.at('warn').length]).toEqual([0, 1]);

    const other = start();
    other.fake.once('interactions.defer', error);
    await other.interaction.defer();
    await other.clock.advance(61_000);
    expect([other.interaction.state, other.fake.lines]).toEqual(['deferred', ['defer', 'defer']]);
  });

  it('does not blame an earlier failure for an expiry', async () => {
    const { fake, clock, interaction } = start();
    fake.once('interactions.defer', unreachable());
    await interaction.defer();
    await clock.advance(1_000);
    fake.once('interactions.respond', gone());
    await expect(interaction.write({ content: 'one' })).rejects.toMatchObject({
      message: expect.stringContaining('was not answered in time'),
    });
  });

  it('rejects a defer that is refused, at once or in the log', async () => {
    const { fake, clock, log, interaction } = start();
    fake.once('interactions.defer', refused(403));
    await expect(interaction.defer()).rejects.toThrow('403');
    fake.once('interactions.defer', unreachable());
    fake.once('interactions.defer', refused(403));
    await interaction.defer();
    await clock.advance(1_000);
    expect(log.at('warn').at(-1)).toBe('/x could not be deferred');
  });

  it.each([
    // By another process, which may have answered as well.
    ['defer', 'edit one'],
    ['acknowledge', 'respond one'],
  ] as const)('is open when the platform says that it is already: %s', async (action, line) => {
    const { fake, interaction } = start();
    fake.once('interactions.defer', refused(409));
    fake.once('interactions.ack', refused(409));
    await interaction[action]();
    await interaction.defer();
    expect(fake.lines).toHaveLength(1);
    fake.once('interactions.editResponse', messageWith({ content: 'one', authorId: BOT_USER }));
    await interaction.write({ content: 'one' });
    expect(fake.lines.at(-1)).toBe(line);
  });

  it('allows a slow platform twice the time for each other defer or acknowledgement, up to 8 s', async () => {
    for (const action of ['defer', 'acknowledge'] as const) {
      const { fake, clock, interaction } = start();
      const deadlines: unknown[] = [];
      fake.observeCalls(({ deadlineMs }) => void deadlines.push(deadlineMs));
      fake.always('interactions.defer', timedOut(true));
      fake.always('interactions.ack', timedOut(true));
      interaction[action]().catch(() => {});
      await clock.advance(10_000);
      interaction.end();
      expect(deadlines.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
    }
  });

  it('acknowledges again after an acknowledgement that failed', async () => {
    const { fake, clock, interaction } = start();
    fake.once('interactions.ack', refused(502));
    const acknowledging = interaction.acknowledge();
    await settle();
    expect(interaction.state).toBe('received');
    await clock.advance(1_000);
    await acknowledging;
    expect([interaction.state, fake.lines]).toEqual(['acknowledged', ['ack', 'ack']]);
  });

  it('allows one second for a defer or an acknowledgement, and the window without its last second for a first answer', async () => {
    const { fake, clock, interaction } = start();
    const deadlines: unknown[] = [];
    fake.observeCalls(({ deadlineMs }) => void deadlines.push(deadlineMs));
    fake.once('interactions.respond', refused(403));
    fake.once('interactions.respond', refused(403));
    await clock.advance(500);
    await interaction.write({ content: 'one' }).catch(() => {});
    await clock.advance(2_000);
    await interaction.write({ content: 'one' }).catch(() => {});
    await interaction.defer();
    await interaction.write({ content: 'one' });
    expect(deadlines).toEqual([1_500, 1_000, 1_000, undefined]);

    const silent = start();
    silent.fake.observeCalls(({ deadlineMs }) => void deadlines.push(deadlineMs));
    await silent.interaction.acknowledge();
    expect(deadlines.at(-1)).toBe(1_000);

    // The interaction is dropped five windows after its receipt.
    const late = start();
    late.fake.observeCalls(({ deadlineMs }) => void deadlines.push(deadlineMs));
    await late.clock.advance(10_000);
    await late.interaction.write({ content: 'one' });
    expect(deadlines.at(-1)).toBe(5_000);
  });

  it('continues with the next action after one that failed', async () => {
    const { fake, interaction } = start();
    fake.once('interactions.respond', refused(403));
    const first = interaction.write({ content: 'one' });
    const second = interaction.write({ content: 'two' });
    await expect(first).rejects.toThrow('403');
    await second;
    expect(fake.lines).toEqual(['respond one', 'respond two']);
  });

  it('sends the files of a later state after its text: an edit cannot contain files', async () => {
    const { fake, interaction } = start();
    await interaction.write({ content: 'one', attachments: [{ objectKey: 'a' }] });
    await interaction.write({ content: 'two', attachments: [{ objectKey: 'b' }] });
    await interaction.write({ content: 'three', attachments: [] });
    expect(fake.lines).toEqual(['respond one', 'edit two', 'followUp null', 'edit three']);
  });

  it('refuses a text that is empty or too long, and sends nothing', async () => {
    const { fake, interaction } = start();
    await expect(interaction.write({ content: '' })).rejects.toMatchObject({
      code: 'E_ANSWER_INVALID',
      details: { length: 0 },
      hint: 'Return null for silence.',
    });
    await expect(interaction.reply({ content: 'x'.repeat(2_001) })).rejects.toMatchObject({
      code: 'E_ANSWER_INVALID',
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
      code: 'E_ANSWER_INVALID',
      message: '/x answered with a content of type number; it must be a string.',
    });
    const embeds = { embeds: [] } as unknown as { content: string };
    await expect(interaction.write(embeds)).rejects.toMatchObject({
      message: '/x answered with an object without content; it must be a string.',
      hint: expect.stringContaining('no embeds'),
    });
  });

  it('keeps why the last write failed, until one succeeds', async () => {
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
    const idle = interaction.messages.idle().then(() => (isIdle = true));
    await settle();
    expect(isIdle).toBe(false);
    held.settle(refused(403));
    await expect(writing).rejects.toThrow('403');
    await idle;
  });
});
