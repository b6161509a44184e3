import { describe, expect, it } from 'vitest';
import { assumptionOf } from '../../test/assumption-of.js';
import { readFixtureObject, readFramePayload } from '../../test/read-fixture.js';
import {
  EVENTS,
  EVENT_ALIASES,
  GATEWAY_PATH,
  INTENTS,
  OPS,
  applicationCommandEventSchema,
  frameSchema,
  helloSchema,
  identifySchema,
  messageDeleteEventSchema,
  readySchema,
  type EventName,
} from './gateway.js';

// From the Bot Interface, "Intents and events".
const SPEC_EVENTS: readonly (readonly [intent: string, event: string])[] = [
  ['SERVER_MESSAGES', 'MESSAGE_CREATE'],
  ['SERVER_MESSAGES', 'MESSAGE_UPDATE'],
  ['SERVER_MESSAGES', 'MESSAGE_DELETE'],
  ['MESSAGE_REACTIONS', 'MESSAGE_REACTION_ADD'],
  ['MESSAGE_REACTIONS', 'MESSAGE_REACTION_REMOVE'],
  ['SERVER_VOICE', 'VOICE_STATE_UPDATE'],
  ['APPLICATION_COMMANDS', 'APPLICATION_COMMAND'],
];

describe('the gateway tables', () => {
  it('hold the path, the frames and the intents of the document', () => {
    expect(GATEWAY_PATH).toBe('/gateway/bot');
    expect(OPS.toSorted()).toEqual(['DISPATCH', 'HEARTBEAT', 'HEARTBEAT_ACK', 'HELLO', 'IDENTIFY']);
    expect(INTENTS.toSorted()).toEqual([
      'APPLICATION_COMMANDS',
      'MESSAGE_REACTIONS',
      'SERVER_MESSAGES',
      'SERVER_VOICE',
    ]);
  });

  it('hold the seven events, each with the intent that delivers it', () => {
    expect(Object.entries(EVENTS).map(([name, { intent }]) => [intent, name])).toEqual(SPEC_EVENTS);
  });

  it('know VoiceStateChanged as another name of VOICE_STATE_UPDATE, and no other alias', () => {
    expect(EVENT_ALIASES).toEqual({ VoiceStateChanged: 'VOICE_STATE_UPDATE' });
  });

  it('mark the payloads that are not shown as assumed, and only those', () => {
    const marked = Object.entries(EVENTS)
      .filter(([, { payload }]) => assumptionOf(payload))
      .map(([name]) => name);
    expect(marked).toEqual([
      'MESSAGE_CREATE',
      'MESSAGE_UPDATE',
      'MESSAGE_DELETE',
      'MESSAGE_REACTION_REMOVE',
      'VOICE_STATE_UPDATE',
    ]);
  });
});

describe('frameSchema', () => {
  it.each(['HEARTBEAT', 'HEARTBEAT_ACK'])('accepts %s, which has no payload', (op) => {
    expect(frameSchema.parse({ op })).toStrictEqual({ op });
  });

  it('passes unknown frames, events and fields through', () => {
    const frame = { op: 'RECONNECT', d: 'soon', s: 7 };
    expect(frameSchema.parse(frame)).toStrictEqual(frame);
    const event = { op: 'DISPATCH', t: 'MEMBER_JOIN', d: { any: [null] } };
    expect(frameSchema.parse(event)).toStrictEqual(event);
  });

  it.each([null, [], 'HELLO', {}, { op: 1 }, { op: null }, { op: 'DISPATCH', t: 7 }])(
    'rejects %j',
    (frame) => {
      expect(frameSchema.safeParse(frame).success).toBe(false);
    },
  );
});

describe('the frames that open a connection', () => {
  it('HELLO carries the interval as a number', () => {
    expect(helloSchema.parse({ heartbeatInterval: 25_000 })).toEqual({ heartbeatInterval: 25_000 });
    expect(helloSchema.safeParse({ heartbeatInterval: '25000' }).success).toBe(false);
    expect(helloSchema.safeParse({ heartbeatInterval: Number.NaN }).success).toBe(false);
  });

  it('IDENTIFY takes any set of intents, or none', () => {
    expect(identifySchema.safeParse({ token: 't' }).success).toBe(true);
    expect(identifySchema.safeParse({ token: 't', intents: [] }).success).toBe(true);
    expect(identifySchema.safeParse({ token: 't', intents: INTENTS }).success).toBe(true);
  });

  it('IDENTIFY rejects an intent that does not exist', () => {
    const { error } = identifySchema.safeParse({
      token: 't',
      intents: ['SERVER_VOICE', 'PRESENCE'],
    });
    expect(error?.issues.map(({ path }) => path)).toEqual([['intents', 1]]);
  });

  it('READY takes a bot that is installed nowhere', () => {
    const ready = { ...readFramePayload('frame-ready'), serverIds: [] };
    expect(readySchema.parse(ready)).toStrictEqual(ready);
  });

  it('READY rejects invalid server ids', () => {
    const ready = { ...readFramePayload('frame-ready'), serverIds: ['home'] };
    expect(readySchema.safeParse(ready).success).toBe(false);
  });
});

describe('APPLICATION_COMMAND', () => {
  it.each(['', '/play', '/play  "a b"\n--loud 🎲'])('carries %j as it was typed', (rawInput) => {
    const event = { ...readFramePayload('frame-application-command'), rawInput };
    expect(applicationCommandEventSchema.parse(event)).toStrictEqual(event);
  });

  it('passes an undocumented user through', () => {
    const event = {
      ...readFramePayload('frame-application-command'),
      user: { id: 'u' },
      userId: 'u',
    };
    expect(applicationCommandEventSchema.parse(event)).toStrictEqual(event);
  });
});

describe('MESSAGE_REACTION_ADD and MESSAGE_REACTION_REMOVE', () => {
  it('need a count to add and none to remove', () => {
    const { count: _count, ...withoutCount } = readFramePayload('frame-message-reaction-add');
    expect(EVENTS.MESSAGE_REACTION_ADD.payload.safeParse(withoutCount).success).toBe(false);
    expect(EVENTS.MESSAGE_REACTION_REMOVE.payload.parse(withoutCount)).toStrictEqual(withoutCount);
  });

  it.each(['MESSAGE_REACTION_ADD', 'MESSAGE_REACTION_REMOVE'] as const)(
    '%s passes an unknown kind of emoji through',
    (name) => {
      const event = {
        ...readFramePayload('frame-message-reaction-add'),
        emoji: { kind: 'sticker', stickerId: 7 },
      };
      expect(EVENTS[name].payload.parse(event)).toStrictEqual(event);
    },
  );

  it.each([
    {},
    { customEmojiName: 'd20' },
    { kind: 'custom', customEmojiId: 'd20' },
    'custom',
    null,
  ])('refuse the emoji %j', (emoji) => {
    const event = { ...readFramePayload('frame-message-reaction-add'), emoji };
    expect(EVENTS.MESSAGE_REACTION_ADD.payload.safeParse(event).success).toBe(false);
  });
});

describe('MESSAGE_CREATE and MESSAGE_UPDATE', () => {
  it.each(['MESSAGE_CREATE', 'MESSAGE_UPDATE'] as const)('%s may lack serverId', (name) => {
    const { serverId: _serverId, ...withoutServer } = readFramePayload(
      'assumed-frame-message-create',
    );
    expect(EVENTS[name].payload.parse(withoutServer)).toStrictEqual(withoutServer);
  });

  it('refuse an invalid server id', () => {
    const event = { ...readFramePayload('assumed-frame-message-create'), serverId: 'home' };
    expect(EVENTS.MESSAGE_CREATE.payload.safeParse(event).success).toBe(false);
  });
});

describe('MESSAGE_DELETE', () => {
  const { messageId, ...others } = readFramePayload('assumed-frame-message-delete');

  it('accepts id in place of messageId', () => {
    expect(messageDeleteEventSchema.parse({ ...others, id: messageId })).toStrictEqual({
      ...others,
      id: messageId,
      messageId,
    });
  });

  it('prefers messageId when both are there', () => {
    const other = '01934c7e-9f13-7c02-b6a8-3d5e7f1094bc';
    expect(messageDeleteEventSchema.parse({ ...others, messageId, id: other }).messageId).toBe(
      messageId,
    );
  });

  it('may lack serverId', () => {
    const { channelId } = others;
    expect(messageDeleteEventSchema.parse({ channelId, messageId })).toStrictEqual({
      channelId,
      messageId,
    });
  });

  it.each([others, { messageId }, { ...others, id: 'x' }, null, [messageId]])(
    'rejects %j',
    (event) => {
      expect(messageDeleteEventSchema.safeParse(event).success).toBe(false);
    },
  );
});

describe('VOICE_STATE_UPDATE', () => {
  const { payload } = EVENTS.VOICE_STATE_UPDATE;

  it('has no channel when the user left, and participants are optional', () => {
    const { participants: _participants, ...left } = readFramePayload(
      'assumed-frame-voice-state-update-left',
    );
    expect(payload.parse(left)).toStrictEqual(left);
  });

  it('requires channelId, which is null for a user who left', () => {
    const { channelId: _channelId, ...untold } = readFramePayload(
      'assumed-frame-voice-state-update-left',
    );
    expect(payload.safeParse(untold).success).toBe(false);
  });
});

describe('an event of one name', () => {
  it.each<[EventName, string]>([
    ['APPLICATION_COMMAND', 'frame-application-command'],
    ['MESSAGE_REACTION_ADD', 'frame-message-reaction-add'],
    ['MESSAGE_DELETE', 'assumed-frame-message-delete'],
  ])('%s travels in a DISPATCH frame', (name, fixture) => {
    const frame = frameSchema.parse(readFixtureObject(fixture));
    expect(frame).toMatchObject({ op: 'DISPATCH', t: name });
    expect(EVENTS[name].payload.safeParse(frame.d).success).toBe(true);
  });
});
