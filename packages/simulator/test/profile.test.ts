// Possible behavior of the platform that differs from the assumed behavior.
import { messageSchema } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { openPlatform, refusalOf, type Platform } from './open-platform.js';
import { runCommand } from './run-command.js';

async function sent(platform: Platform) {
  const parameters = { channelId: platform.channelId('general') };
  return platform.call('messages.send', parameters, { body: { content: 'Hi' } });
}

async function emptyMessage(platform: Platform) {
  const parameters = { channelId: platform.channelId('general') };
  return platform.call('messages.send', parameters, { body: { content: '' } });
}

describe('profile', () => {
  it.each([400, 422])('refuses an invalid body with %i', async (status) => {
    const platform = await openPlatform({ profile: { refusals: { validationStatus: status } } });
    expect(refusalOf(await emptyMessage(platform))).toEqual({
      status,
      code: 'bot_validation_error',
      field: 'content',
    });
  });

  it('answers a written message with nothing, an id, or more than is known', async () => {
    const empty = await openPlatform({ profile: { messageResponse: 'empty' } });
    expect(await sent(empty)).toMatchObject({ status: 200, text: '' });
    const id = await openPlatform({ profile: { messageResponse: 'id' } });
    expect((await sent(id)).body).toEqual({ id: id.lastMessage().id });
    const more = await openPlatform({ profile: { messageResponse: 'unknown-fields' } });
    const reply = await sent(more);
    expect(messageSchema.parse(reply.body).content).toBe('Hi');
    expect(reply.body).toHaveProperty('simUnknownField');
  });

  it('answers every endpoint that writes a message alike', async () => {
    const platform = await openPlatform({ profile: { messageResponse: 'empty' } });
    const { id: interactionId } = await runCommand(platform);
    const body = { content: 'Text' };
    const replies = [
      await platform.call('interactions.respond', { interactionId }, { body }),
      await platform.call('interactions.editResponse', { interactionId }, { body }),
      await platform.call('interactions.followUp', { interactionId }, { body }),
      await platform.call(
        'messages.edit',
        { channelId: platform.channelId('general'), messageId: platform.lastMessage().id },
        { body },
      ),
    ];
    expect(replies.map(({ status, text }) => [status, text])).toEqual(
      Array.from({ length: 4 }, () => [200, '']),
    );
  });

  it('answers a sync with nothing or a wrapped list', async () => {
    const empty = await openPlatform({ profile: { syncResponse: 'empty' } });
    const body = { commands: [{ name: 'ask', description: 'Ask', options: [] }] };
    expect((await empty.call('commands.replace', {}, { body })).text).toBe('');
    const wrapped = await openPlatform({ profile: { syncResponse: 'wrapped' } });
    expect((await wrapped.call('commands.replace', {}, { body })).body).toMatchObject({
      commands: [{ name: 'ask' }],
    });
  });

  it('sends message events without serverId, or with unknown fields', async () => {
    const without = await openPlatform({ profile: { messageEvent: 'without-server-id' } });
    const bare = await without.connect();
    without.simulator.sendMessage({ content: 'Hi' });
    expect(await bare.event('MESSAGE_CREATE')).not.toHaveProperty('serverId');
    const unknown = await openPlatform({ profile: { messageEvent: 'unknown-fields' } });
    const rich = await unknown.connect();
    unknown.simulator.sendMessage({ content: 'Hi' });
    expect(await rich.event('MESSAGE_CREATE')).toMatchObject({
      serverId: unknown.serverId('Sandbox'),
      simUnknownField: expect.anything(),
    });
  });

  it('names unicode emojis otherwise', async () => {
    const platform = await openPlatform({
      profile: { unicodeEmojiKind: 'standard' },
    });
    const bot = await platform.connect();
    const { id: messageId, channelId } = platform.simulator.sendMessage({ content: 'Hi' });
    const body = { unicodeEmoji: '👍', customEmojiId: null };
    await platform.call('reactions.add', { channelId, messageId }, { body });
    await platform.call('reactions.remove', { channelId, messageId }, { body });
    const emoji = { kind: 'standard', unicodeEmoji: '👍' };
    expect(await bot.event('MESSAGE_REACTION_ADD')).toMatchObject({ emoji, count: 1 });
    const removed = await bot.event('MESSAGE_REACTION_REMOVE');
    expect(removed.emoji).toEqual(emoji);
  });

  it('has the user who ran a command in one of two fields', async () => {
    const flat = await openPlatform({ profile: { commandUser: 'userId' } });
    const first = await flat.connect();
    await runCommand(flat);
    expect(await first.event('APPLICATION_COMMAND')).toMatchObject({ userId: flat.userId('ada') });
    const nested = await openPlatform({ profile: { commandUser: 'user.id' } });
    const second = await nested.connect();
    await runCommand(nested);
    expect(await second.event('APPLICATION_COMMAND')).toMatchObject({
      user: { id: nested.userId('ada'), username: 'ada', displayName: 'Ada' },
    });
  });

  it('counts content in code points', async () => {
    const platform = await openPlatform({ profile: { contentUnit: 'code-point' } });
    const parameters = { channelId: platform.channelId('general') };
    const send = (content: unknown, more: object = {}) =>
      platform.call('messages.send', parameters, { body: { content, ...more } });
    expect((await send('🎲'.repeat(2000))).status).toBe(200);
    expect(platform.lastMessage().content).toBe('🎲'.repeat(2000));
    expect(refusalOf(await send('🎲'.repeat(2001)))).toMatchObject({ field: 'content' });
    expect(refusalOf(await send('x'.repeat(2001)))).toMatchObject({ field: 'content' });
    expect(refusalOf(await send(''))).toMatchObject({ field: 'content' });
    const reply = await send('🎲'.repeat(1500), { replyToMessageId: 'no id' });
    expect(refusalOf(reply)).toMatchObject({ field: 'replyToMessageId' });
  });

  it('has other types of channels', async () => {
    const platform = await openPlatform({
      profile: { channelTypes: { text: 'GUILD_TEXT', voice: 'GUILD_VOICE' } },
    });
    const serverId = platform.serverId('Second');
    const { body } = await platform.call('servers.channels', { serverId });
    expect(body).toMatchObject([{ type: 'GUILD_TEXT' }, { type: 'GUILD_VOICE' }]);
  });

  it.each([
    { status: 400, code: 'bot_validation_error' },
    { status: 410, code: 'gone' },
  ])('refuses a second answer and a lost interaction with $status', async (refusal) => {
    const platform = await openPlatform({
      profile: { refusals: { alreadyAnswered: refusal, interactionGone: refusal } },
    });
    const { id: interactionId } = await runCommand(platform);
    const respond = () =>
      platform.call('interactions.respond', { interactionId }, { body: { content: 'Text' } });
    await respond();
    expect(refusalOf(await respond())).toEqual(refusal);
    const { id: lost } = await runCommand(platform);
    await platform.clock.advance(3_000);
    const late = await platform.call('interactions.ack', { interactionId: lost });
    expect(refusalOf(late)).toEqual(refusal);
  });

  it('takes a second answer, and swallows a late one, where the platform does', async () => {
    const fine = { status: 200, code: 'unused' };
    const platform = await openPlatform({
      profile: { refusals: { alreadyAnswered: fine, interactionGone: fine } },
    });
    const { id: interactionId } = await runCommand(platform);
    const respond = (content: string) =>
      platform.call('interactions.respond', { interactionId }, { body: { content } });
    await respond('One');
    expect(messageSchema.parse((await respond('Two')).body).content).toBe('Two');
    expect(platform.simulator.messages().map(({ content }) => content)).toContain('One');
    const { id: lost } = await runCommand(platform);
    await platform.clock.advance(3_000);
    const late = await platform.call('interactions.defer', { interactionId: lost });
    expect(late).toMatchObject({ status: 200, text: '' });
  });
});
