import { silentLog } from '@virgule/core/log';
import type { VoiceState, VoiceStateEvent } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { createVoiceMembers, voiceChange } from './voice-members.js';

const SERVER = 'server';
const person = (userId: string) => ({ userId, username: userId, displayName: userId });
const stateOf = (channels: Readonly<Record<string, readonly string[]>>): VoiceState => ({
  serverId: SERVER,
  channels: Object.entries(channels).map(([channelId, users]) => ({
    channelId,
    participants: users.map(person),
  })),
});

/** Members on a platform that answers with `read`. */
function open(read: (count: number) => Promise<VoiceState | undefined> | VoiceState | undefined) {
  let reads = 0;
  const unused = () => Promise.reject(new Error('not used'));
  const members = createVoiceMembers(
    {
      servers: {
        list: async () => [{ id: SERVER, name: 'Sandbox', memberCount: 3 }],
        channels: unused,
        emojis: unused,
      },
      voice: {
        state: async () => read((reads += 1)),
        openIngress: unused,
        closeIngress: unused,
        join: unused,
        leave: unused,
      },
    },
    silentLog,
  );
  return {
    members,
    reads: () => reads,
    names: async (channelId: string) =>
      (await members.of(channelId))?.map(({ username }) => username),
    follow: (userId: string, channelId: string | null, named = true) => {
      const participants = channelId === null || !named ? undefined : [person(userId)];
      const data = { serverId: SERVER, userId, channelId, participants };
      return voiceChange(members.follow(data) as VoiceStateEvent);
    },
  };
}

describe('the members of a voice channel', () => {
  it('are read once, then followed by events', async () => {
    const { members, reads, names, follow } = open(() => stateOf({ a: ['ada'], b: ['bob'] }));
    members.connected([SERVER]);
    expect(await names('a')).toEqual(['ada']);
    expect(follow('bob', 'a')).toEqual({ type: 'move', userId: 'bob', from: 'b', to: 'a' });
    expect(follow('cy', 'b')).toEqual({ type: 'join', userId: 'cy', from: null, to: 'b' });
    expect(follow('ada', null)).toEqual({ type: 'leave', userId: 'ada', from: 'a', to: null });
    expect([await names('a'), await names('b'), await names('c')]).toEqual([['bob'], ['cy'], []]);
    expect(reads()).toBe(1);
  });

  it('are those of the events that arrive while the snapshot is read', async () => {
    let answer = (_state: VoiceState): void => {};
    const { members, names, follow } = open(() => new Promise((resolve) => (answer = resolve)));
    members.connected([SERVER]);
    expect(follow('ada', 'b')).toMatchObject({ type: 'join', from: undefined });
    answer(stateOf({ a: ['ada', 'bob'] }));
    expect([await names('a'), await names('b')]).toEqual([['bob'], ['ada']]);
  });

  it('are read again when an event describes no user, and after another connection', async () => {
    const states = [stateOf({}), stateOf({ a: ['ada'] }), stateOf({ a: ['bob'] })];
    const { members, reads, names, follow } = open((count) => states[count - 1]);
    members.connected([SERVER]);
    expect(await names('a')).toEqual([]);
    follow('ada', 'a', false);
    expect(await names('a')).toEqual(['ada']);
    members.connected([SERVER]);
    expect(await names('a')).toEqual(['bob']);
    expect(reads()).toBe(3);
  });

  it('are forgotten when they leave', async () => {
    const { members, reads, names, follow } = open(() => stateOf({ a: ['ada'] }));
    members.connected([SERVER]);
    await names('a');
    follow('ada', null);
    follow('ada', 'a', false);
    expect([await names('a'), reads()]).toEqual([['ada'], 2]);
  });

  it('are read each time by a bot that does not follow', async () => {
    const { reads, names, follow } = open((count) => stateOf({ a: count === 1 ? [] : ['ada'] }));
    expect([await names('a'), await names('a')]).toEqual([[], ['ada']]);
    expect(follow('ada', 'a').from).toBeUndefined();
    expect(reads()).toBe(2);
  });

  it('are unknown if the platform does not say, and read again after a failure', async () => {
    expect(await open(() => undefined).members.of('a')).toBeUndefined();
    const { members, names } = open((count) =>
      count === 1 ? Promise.reject(new Error('503')) : stateOf({ a: ['ada'] }),
    );
    members.connected([SERVER]);
    await expect(members.of('a')).rejects.toThrow('503');
    expect(await names('a')).toEqual(['ada']);
  });

  it('are those of the other servers if one refuses', async () => {
    const { members, names } = open((count) =>
      count === 1 ? Promise.reject(new Error('403')) : stateOf({ a: ['ada'] }),
    );
    members.connected(['refused', SERVER]);
    expect(await names('a')).toEqual(['ada']);
  });

  it('include those of a server that was added later', async () => {
    const { members, names, follow } = open(() => stateOf({ a: ['ada', 'bob'] }));
    members.connected([]);
    follow('bob', 'a');
    expect(await names('a')).toEqual(['ada', 'bob']);
    // Any other value passes through.
    expect(members.follow('odd')).toBe('odd');
  });
});
