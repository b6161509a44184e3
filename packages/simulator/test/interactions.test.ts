import { messageSchema } from '@virgule/core/protocol';
import type { SimInteraction } from '@virgule/core/simulator-api';
import { describe, expect, it } from 'vitest';
import { openPlatform, refusalOf, type Platform, type Reply } from './open-platform.js';
import { runCommand } from './run-command.js';
import { uploadFile } from './upload-file.js';

const GONE = { status: 404, code: 'bot_interaction_not_found' };
const ANSWERED = { status: 409, code: 'bot_interaction_already_answered' };
const NOTHING_TO_EDIT = { status: 404, code: 'bot_interaction_response_not_found' };

/** A running interaction, with the five endpoints that answer it. */
async function start(platform: Platform) {
  const { id: interactionId, expiresAt } = await runCommand(platform);
  const parameters = { interactionId };
  const body = (content: string | null, more: object = {}) => ({ body: { content, ...more } });
  return {
    expiresAt,
    ack: () => platform.call('interactions.ack', parameters),
    defer: () => platform.call('interactions.defer', parameters),
    respond: (content: string | null, more?: object) =>
      platform.call('interactions.respond', parameters, body(content, more)),
    edit: (content: string) =>
      platform.call('interactions.editResponse', parameters, body(content)),
    followUp: (content: string) =>
      platform.call('interactions.followUp', parameters, body(content)),
    now: (): SimInteraction | undefined => platform.simulator.interaction(interactionId),
  };
}

const content = (reply: Reply): string => messageSchema.parse(reply.body).content;

/** Returns the messages of the bot in #general, oldest first. */
const answers = (platform: Platform): string[] =>
  platform.simulator
    .messages()
    .filter(({ authorUsername }) => authorUsername === 'demo-bot')
    .map((message) => message.content);

describe('an interaction', () => {
  it('reaches the bot as APPLICATION_COMMAND, with the line as typed and without a user', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    const run = await runCommand(platform);
    expect(await bot.event('APPLICATION_COMMAND')).toEqual({
      interactionId: run.id,
      serverId: platform.serverId('Sandbox'),
      channelId: platform.channelId('general'),
      name: 'ask',
      rawInput: '/ask why',
    });
    expect(run).toMatchObject({
      state: 'waiting',
      wasDeferred: false,
      userId: platform.userId('ada'),
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2026-01-01T00:00:03.000Z',
      responseMessageId: null,
    });
  });

  it('is answered by a message of the bot', async () => {
    const platform = await openPlatform();
    const interaction = await start(platform);
    const reply = await interaction.respond('Because');
    const message = messageSchema.parse(reply.body);
    expect(message).toMatchObject({ content: 'Because', authorUsername: 'demo-bot' });
    expect(interaction.now()).toMatchObject({
      state: 'answered',
      expiresAt: null,
      responseMessageId: message.id,
    });
    expect(platform.simulator.messages().at(-1)?.interactionId).toBe(interaction.now()?.id);
    await platform.clock.advance(24 * 60 * 60_000);
    expect(interaction.now()?.state).toBe('answered');
  });

  it.each([1_000, 3_000, 15_000])('expires after %i ms without an answer', async (windowMs) => {
    const platform = await openPlatform({ profile: { answerWindowMs: windowMs } });
    const interaction = await start(platform);
    await platform.clock.advance(windowMs - 1);
    expect(interaction.now()?.state).toBe('waiting');
    await platform.clock.advance(1);
    expect(interaction.now()).toMatchObject({
      state: 'expired',
      wasDeferred: false,
      expiresAt: null,
    });
    expect(refusalOf(await interaction.respond('Late'))).toEqual(GONE);
    expect(refusalOf(await interaction.edit('Late'))).toEqual(GONE);
    expect(refusalOf(await interaction.followUp('Late'))).toEqual(GONE);
    expect(refusalOf(await interaction.ack())).toEqual(GONE);
    expect(refusalOf(await interaction.defer())).toEqual(GONE);
    expect(answers(platform)).toEqual([]);
  });

  it.each([1_000, 15_000])('takes an answer in the last moment of %i ms', async (windowMs) => {
    const platform = await openPlatform({ profile: { answerWindowMs: windowMs } });
    const interaction = await start(platform);
    await platform.clock.advance(windowMs - 1);
    expect(content(await interaction.respond('Just in time'))).toBe('Just in time');
  });

  it.each(['answerWindowMs', 'deferredWindowMs'] as const)(
    'never expires where %s has no end',
    async (window) => {
      const platform = await openPlatform({ profile: { [window]: Number.POSITIVE_INFINITY } });
      const { id } = await runCommand(platform);
      if (window === 'deferredWindowMs') {
        await platform.call('interactions.defer', { interactionId: id });
      }
      await platform.clock.advance(365 * 24 * 60 * 60_000);
      const state = window === 'deferredWindowMs' ? 'deferred' : 'waiting';
      expect(platform.simulator.interaction(id)).toMatchObject({ state, expiresAt: null });
      expect(platform.simulator.snapshot().interactions).toHaveLength(1);
    },
  );

  it('waits for 20 days if set in the profile', async () => {
    const windowMs = 20 * 24 * 60 * 60_000;
    const platform = await openPlatform({ profile: { answerWindowMs: windowMs } });
    const { id } = await runCommand(platform);
    await platform.clock.advance(windowMs - 1);
    expect(platform.simulator.interaction(id)?.state).toBe('waiting');
    await platform.clock.advance(1);
    expect(platform.simulator.interaction(id)?.state).toBe('expired');
  });

  it('expires when no bot is connected', async () => {
    const platform = await openPlatform();
    const interaction = await start(platform);
    await platform.clock.advance(3_000);
    expect(interaction.now()?.state).toBe('expired');
  });

  it('waits for the whole deferred window after a defer', async () => {
    const platform = await openPlatform();
    const interaction = await start(platform);
    await platform.clock.advance(2_000);
    await interaction.defer();
    expect(interaction.now()).toMatchObject({
      state: 'deferred',
      wasDeferred: true,
      expiresAt: '2026-01-01T00:15:02.000Z',
    });
    await platform.clock.advance(15 * 60_000 - 1);
    expect(interaction.now()?.state).toBe('deferred');
    await platform.clock.advance(1);
    expect(interaction.now()).toMatchObject({ state: 'expired', wasDeferred: true });
    expect(refusalOf(await interaction.respond('Late'))).toEqual(GONE);
  });

  it('is filled in after a defer by a response', async () => {
    const platform = await openPlatform();
    const interaction = await start(platform);
    await interaction.defer();
    expect(content(await interaction.respond('Done'))).toBe('Done');
    expect(interaction.now()).toMatchObject({ state: 'answered', wasDeferred: true });
  });

  it('is filled in after a defer by an edit', async () => {
    const platform = await openPlatform();
    const interaction = await start(platform);
    await interaction.defer();
    expect(content(await interaction.edit('Done'))).toBe('Done');
    expect(interaction.now()?.state).toBe('answered');
    expect(refusalOf(await interaction.respond('Again'))).toEqual(ANSWERED);
    expect(content(await interaction.edit('Better'))).toBe('Better');
    expect(answers(platform)).toEqual(['Better']);
  });

  it('does not mind being deferred or acknowledged twice, in any order', async () => {
    const platform = await openPlatform();
    const interaction = await start(platform);
    const steps = ['ack', 'ack', 'defer', 'defer', 'ack'] as const;
    for (const step of steps) expect((await interaction[step]()).status).toBe(200);
    await platform.clock.advance(1_000);
    await interaction.defer();
    expect(interaction.now()).toMatchObject({
      state: 'deferred',
      expiresAt: '2026-01-01T00:15:00.000Z',
    });
    await interaction.respond('Done');
    await interaction.ack();
    await interaction.defer();
    expect(interaction.now()?.state).toBe('answered');
  });

  it('awaits nothing more after an acknowledgement, but can be answered for a while', async () => {
    const platform = await openPlatform();
    const silent = await start(platform);
    const late = await start(platform);
    await silent.ack();
    await late.ack();
    expect(silent.now()).toMatchObject({ state: 'acknowledged', expiresAt: null });
    await platform.clock.advance(10 * 60_000);
    expect(content(await late.respond('After all'))).toBe('After all');
    await platform.clock.advance(5 * 60_000);
    expect(silent.now()?.state).toBe('acknowledged');
    expect(refusalOf(await silent.respond('Too late'))).toEqual(GONE);
  });

  it('expires in spite of an acknowledgement if set in the profile', async () => {
    const platform = await openPlatform({ profile: { ackStopsExpiry: false } });
    const interaction = await start(platform);
    await interaction.ack();
    expect(interaction.now()).toMatchObject({
      state: 'acknowledged',
      expiresAt: interaction.expiresAt,
    });
    await platform.clock.advance(3_000);
    expect(interaction.now()).toMatchObject({ state: 'expired', wasDeferred: false });
  });

  it('has one answer: a second is refused, an edit changes the first', async () => {
    const platform = await openPlatform();
    const interaction = await start(platform);
    expect(refusalOf(await interaction.edit('Nothing to edit'))).toEqual(NOTHING_TO_EDIT);
    await interaction.respond('One');
    expect(refusalOf(await interaction.respond('Two'))).toEqual(ANSWERED);
    expect(content(await interaction.edit('One, fixed'))).toBe('One, fixed');
    expect(answers(platform)).toEqual(['One, fixed']);
  });

  it('cannot edit an answer that was deleted', async () => {
    const platform = await openPlatform();
    const interaction = await start(platform);
    await interaction.respond('One');
    const { channelId, id: messageId } = platform.lastMessage();
    await platform.call('messages.delete', { channelId, messageId });
    expect(refusalOf(await interaction.edit('Two'))).toEqual(NOTHING_TO_EDIT);
  });

  it('takes follow-ups after an answer or a defer, and leaves the state alone', async () => {
    const platform = await openPlatform();
    const interaction = await start(platform);
    const early = { status: 409, code: 'bot_interaction_not_answered' };
    expect(refusalOf(await interaction.followUp('Too early'))).toEqual(early);
    await interaction.ack();
    expect(refusalOf(await interaction.followUp('Too early'))).toEqual(early);
    await interaction.defer();
    expect(content(await interaction.followUp('Meanwhile'))).toBe('Meanwhile');
    expect(interaction.now()?.state).toBe('deferred');
    await interaction.respond('Answer');
    await interaction.followUp('More');
    expect(answers(platform)).toEqual(['Meanwhile', 'Answer', 'More']);
    const id = interaction.now()?.id;
    expect(platform.simulator.messages().map(({ interactionId }) => interactionId)).toEqual([
      null,
      id,
      id,
      id,
    ]);
  });

  it('carries a reply and files, and shows an ephemeral answer to everyone', async () => {
    const platform = await openPlatform();
    const question = platform.simulator.sendMessage({ content: 'Well?' });
    const interaction = await start(platform);
    const objectKey = await uploadFile(platform, { fileName: 'why.txt' });
    const reply = await interaction.respond(null, {
      replyToMessageId: question.id,
      attachments: [{ objectKey }],
      ephemeral: true,
    });
    expect(messageSchema.parse(reply.body)).toMatchObject({
      content: '',
      replyTo: { messageId: question.id },
      attachments: [{ fileName: 'why.txt' }],
    });
    expect(answers(platform)).toEqual(['']);
  });

  it('notifies the page of every step', async () => {
    const platform = await openPlatform();
    const states: string[] = [];
    platform.simulator.on((event) => {
      if (event.type === 'interaction') states.push(event.interaction.state);
    });
    const interaction = await start(platform);
    await interaction.defer();
    await interaction.respond('Done');
    const expiring = await start(platform);
    await platform.clock.advance(3_000);
    expect(states).toEqual(['waiting', 'deferred', 'answered', 'waiting', 'expired']);
    expect(expiring.now()?.state).toBe('expired');
  });

  it('is forgotten long after it has ended; those that wait are kept', async () => {
    const platform = await openPlatform();
    const first = await start(platform);
    await first.defer();
    const second = await start(platform);
    await second.respond('Done');
    for (let count = 0; count < 11_000; count += 1) platform.simulator.run({ rawInput: '/ask' });
    await platform.clock.advance(3_000);
    platform.simulator.run({ rawInput: '/ask' });
    expect(first.now()?.state).toBe('deferred');
    expect(second.now()).toBeUndefined();
    expect(refusalOf(await second.followUp('More'))).toEqual(GONE);
  });
});

describe('running a command as a user', () => {
  it('starts an interaction for the user whose token is sent', async () => {
    const platform = await openPlatform();
    await platform.register('ask');
    const { commands, users } = platform.simulator.snapshot();
    const grace = users.find(({ username }) => username === 'grace');
    const path = `/api/channels/${platform.channelId('general')}/interactions/commands`;
    const reply = await platform.send('POST', path, {
      headers: { authorization: `Bearer ${grace?.token ?? ''}` },
      body: { commandId: commands[0]?.id, rawInput: '/ask' },
    });
    expect(reply.status).toBe(200);
    const [interaction] = platform.simulator.snapshot().interactions;
    expect(reply.body).toEqual({ interactionId: interaction?.id });
    expect(interaction?.userId).toBe(grace?.id);
  });

  it('does not work where the user is no member', async () => {
    const platform = await openPlatform();
    await platform.register('ask');
    const { commands, users } = platform.simulator.snapshot();
    const linus = users.find(({ username }) => username === 'linus');
    const path = `/api/channels/${platform.channelId('general', 'Second')}/interactions/commands`;
    const reply = await platform.send('POST', path, {
      headers: { authorization: `Bearer ${linus?.token ?? ''}` },
      body: { commandId: commands[0]?.id, rawInput: '/ask' },
    });
    expect(refusalOf(reply)).toEqual({ status: 404, code: 'bot_not_found' });
  });
});
