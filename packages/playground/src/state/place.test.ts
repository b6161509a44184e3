import { describe, expect, it } from 'vitest';
import {
  ADA,
  EMPTY,
  GENERAL,
  GRACE,
  LOUNGE,
  SANDBOX,
  SECOND,
  WITHOUT_BOT,
  snapshot,
} from '../../test/sample-world.js';
import { actors, channelsOf, resolvePlace } from './place.js';
import { EMPTY_WORLD, applyEvent } from './world.js';

const world = applyEvent(EMPTY_WORLD, { type: 'snapshot', snapshot: snapshot() });
const nowhere = { serverId: null, channelId: null, as: null };

describe('resolvePlace', () => {
  it('starts in the first text channel of the first server with the bot', () => {
    const other = { ...world, servers: [WITHOUT_BOT, SANDBOX] };
    const place = resolvePlace(other, nowhere);
    expect([place.server, place.channel, place.user]).toEqual([SANDBOX, GENERAL, world.users[0]]);
  });

  it('follows the address', () => {
    const route = { serverId: SANDBOX.id, channelId: EMPTY.id, as: 'grace' };
    expect(resolvePlace(world, route)).toEqual({ server: SANDBOX, channel: EMPTY, user: GRACE });
  });

  it('believes the channel when the server does not fit', () => {
    const route = { serverId: SECOND.id, channelId: EMPTY.id, as: null };
    expect(resolvePlace(world, route).server).toBe(SANDBOX);
  });

  it('falls back for what is not there', () => {
    const route = { serverId: SECOND.id, channelId: 'gone', as: 'unknown' };
    const place = resolvePlace(world, route);
    expect(place.server).toBe(SECOND);
    expect(place.channel?.serverId).toBe(SECOND.id);
    expect(place.user).toBe(ADA);
  });

  it('does not open a voice channel', () => {
    const route = { serverId: SANDBOX.id, channelId: LOUNGE.id, as: null };
    expect(resolvePlace(world, route).channel).toBe(GENERAL);
  });

  it('is nowhere in an empty world', () => {
    expect(resolvePlace(EMPTY_WORLD, nowhere)).toEqual({ server: null, channel: null, user: null });
  });
});

describe('channelsOf', () => {
  it('sorts by position and keeps voice apart', () => {
    const shuffled = { ...world, channels: world.channels.toReversed() };
    const { text, voice } = channelsOf(shuffled, SANDBOX.id);
    expect(text.map((channel) => channel.name)).toEqual([
      'general',
      'empty',
      'long-history',
      'hidden',
    ]);
    expect(voice.map((channel) => channel.name)).toEqual(['Lounge']);
  });
});

describe('actors', () => {
  it('are the users that have a token', () => {
    expect(actors(world).map((user) => user.username)).toEqual(['ada', 'grace', 'linus']);
  });
});
