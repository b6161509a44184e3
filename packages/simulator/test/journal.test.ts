// Every change passes through one `emit`: the changes alone create the same world again.
import { createFakeClock } from '@virgule/core/clock';
import { resolveProfile } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { channelOfBot } from '../src/world/access.js';
import { openUpload, storeUpload } from '../src/world/attachments.js';
import { firstBot, replaceCommands } from '../src/world/bots.js';
import { buildWorld } from '../src/world/build-world.js';
import type { Change } from '../src/world/change.js';
import { watchDeadlines } from '../src/world/deadlines.js';
import { acknowledge, defer, followUp, respond, runCommand } from '../src/world/interactions.js';
import { deleteMessage, editMessage, sendMessage } from '../src/world/messages.js';
import { addRole, addServer, addUser, editServer } from '../src/world/places.js';
import { addReaction, clearReactions, removeReaction } from '../src/world/reactions.js';
import { joinVoice, leaveVoice, openIngress } from '../src/world/voice.js';
import type { World } from '../src/world/world.js';

function newWorld() {
  const clock = createFakeClock();
  const world = buildWorld({ seed: 'journal', clock, profile: resolveProfile() });
  return { world, clock };
}

function channelNamed(world: World, name: string) {
  const found = [...world.state.channels.values()].find((channel) => channel.name === name);
  return channelOfBot(world, found?.id ?? '', firstBot(world.state).botUserId);
}

/** Uses every operation of the world. */
function liveALittle(world: World): void {
  const general = channelNamed(world, 'general');
  const lounge = channelNamed(world, 'Lounge');
  const userId = world.state.servers.get(general.serverId)?.ownerId ?? '';
  const { botUserId } = firstBot(world.state);
  const thumb = { unicodeEmoji: '👍', customEmojiId: null };

  const upload = openUpload(world, general, { fileName: 'a', contentType: 'text/plain', size: 1 });
  storeUpload(world, upload, Buffer.from('a'));
  openUpload(world, general, { fileName: 'b', contentType: 'text/plain', size: 1 });
  const { objectKey } = upload;
  const message = sendMessage(world, {
    channel: general,
    authorId: userId,
    content: 'One',
    attachments: [{ objectKey }],
  });
  const edited = editMessage(world, message, 'Two');
  const liked = addReaction(world, edited, userId, thumb);
  const popular = addReaction(world, liked, botUserId, thumb);
  clearReactions(world, removeReaction(world, popular, userId, thumb));
  deleteMessage(world, sendMessage(world, { channel: general, authorId: userId, content: 'Gone' }));

  joinVoice(world, lounge, userId);
  leaveVoice(world, lounge, userId);
  openIngress(world, lounge, botUserId);

  const server = addServer(world, { name: 'New' });
  const { id: newId } = addUser(world, { username: 'new', serverIds: [] });
  editServer(world, server.id, { memberIds: [newId] });
  addRole(world, { serverId: server.id, name: 'new', memberIds: [newId] });

  const [command] = replaceCommands(world, botUserId, [
    { name: 'ask', description: 'Ask', options: [] },
  ]);
  const run = { channelId: general.id, userId, commandId: command?.id ?? '', rawInput: '/ask' };
  const { id } = runCommand(world, run);
  acknowledge(world, id);
  defer(world, id);
  respond(world, id, { content: 'Because' });
  followUp(world, id, { content: 'More' });
  // These two are never answered: each misses another window.
  defer(world, runCommand(world, run).id);
  runCommand(world, run);
}

describe('the changes of a world', () => {
  it('make the same world again, after a trip through JSON', async () => {
    const { world, clock } = newWorld();
    const journal: Change[] = [];
    world.subscribe((change) => journal.push(change));
    const stop = watchDeadlines(world);
    liveALittle(world);
    await clock.advance(60 * 60_000);
    stop();

    const { world: again } = newWorld();
    // The worlds below differ if JSON does not preserve the changes.
    for (const change of JSON.parse(JSON.stringify(journal)) as Change[]) again.emit(change);
    expect(again.state).toEqual(world.state);
    const runs = [...again.state.interactions.values()];
    expect(runs.map(({ state, wasDeferred }) => [state, wasDeferred])).toEqual([
      ['answered', true],
      ['expired', true],
      ['expired', false],
    ]);
    expect(new Set(journal.map(({ type }) => type))).toEqual(
      new Set([
        'upload.opened',
        'upload.stored',
        'upload.expired',
        'message.created',
        'message.edited',
        'message.deleted',
        'reaction.added',
        'reaction.removed',
        'voice.changed',
        'place.saved',
        'commands.replaced',
        'interaction.created',
        'interaction.changed',
      ]),
    );
  });

  it('never modify a record', () => {
    const { world } = newWorld();
    const general = channelNamed(world, 'general');
    const before = [...(world.state.histories.get(general.id) ?? [])];
    const [message] = before;
    const copy = structuredClone(message);
    if (message === undefined) throw new Error('the seed has no message');
    editMessage(world, message, 'Changed');
    addReaction(world, message, firstBot(world.state).botUserId, {
      unicodeEmoji: '👍',
      customEmojiId: null,
    });
    expect(message).toEqual(copy);
    expect(world.state.messages.get(message.id)).not.toBe(message);
    expect(world.state.histories.get(general.id)?.[0]).toBe(world.state.messages.get(message.id));
  });

  it('result in new ids after they were applied again', () => {
    const { world } = newWorld();
    const journal: Change[] = [];
    world.subscribe((change) => journal.push(change));
    liveALittle(world);
    const { world: again } = newWorld();
    for (const change of journal) again.emit(change);
    expect(again.nextId('message')).toBe(world.nextId('message'));
    expect(again.state.messages.has(again.nextId('message'))).toBe(false);
  });
});
