// Source: Bot Interface, "Events": connection frames and rules.
import { describe, expect } from 'vitest';
import { causeEveryEvent } from './cause-every-event.js';
import { at, testRules, type Rule } from './plain-bot.js';

const UUID = expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);

const CONNECTION_FRAMES: readonly Rule[] = [
  [
    'HELLO is sent as soon as the socket opens; d.heartbeatInterval integer',
    async (bot) => {
      const socket = await bot.connect({ identify: false });
      const [hello] = socket.frames;
      expect(hello).toEqual({ op: 'HELLO', d: { heartbeatInterval: expect.any(Number) } });
      expect(Number.isInteger(at(hello, 'd', 'heartbeatInterval'))).toBe(true);
    },
  ],
  [
    'IDENTIFY: d.token string, d.intents array of intent names',
    async (bot) => {
      const { token } = bot.simulator;
      for (const d of [{ token: 1 }, { token, intents: 'SERVER_VOICE' }, {}]) {
        const socket = await bot.connect({ identify: false });
        socket.send({ op: 'IDENTIFY', d });
        expect(await socket.closeCode()).toBeGreaterThanOrEqual(1000);
      }
      const socket = await bot.connect({ identify: false });
      socket.send({ op: 'IDENTIFY', d: { token, intents: ['SERVER_VOICE', 'SERVER_MESSAGES'] } });
      await socket.frame(({ t }) => t === 'READY');
    },
  ],
  [
    'READY: op DISPATCH, t READY; d: applicationId, botUserId, username, displayName, serverIds; events flow after this',
    async (bot) => {
      const socket = await bot.connect({ identify: false });
      bot.adaWrites();
      socket.send({ op: 'IDENTIFY', d: { token: bot.simulator.token } });
      const ready = await socket.frame(({ t }) => t === 'READY');
      expect(ready).toEqual({
        op: 'DISPATCH',
        t: 'READY',
        d: {
          applicationId: UUID,
          botUserId: UUID,
          username: expect.any(String),
          displayName: expect.any(String),
          serverIds: [bot.serverId('Sandbox'), bot.serverId('Second')],
        },
      });
      // No event from before READY is sent.
      expect(await socket.eventNames()).toEqual([]);
      bot.adaWrites();
      await socket.event('MESSAGE_CREATE');
    },
  ],
  [
    'HEARTBEAT is sent on the interval given in HELLO; no payload',
    async (bot) => {
      const socket = await bot.connect();
      const intervalMs = Number(at(socket.frames[0], 'd', 'heartbeatInterval'));
      for (let beat = 1; beat <= 3; beat += 1) {
        await bot.clock.advance(intervalMs);
        expect(await socket.eventNames()).toEqual([]);
      }
      expect(socket.closed).toBeUndefined();
      // The platform ends a connection without a heartbeat (assumed).
      await bot.clock.advance(intervalMs * 2);
      await socket.closeCode();
    },
  ],
  [
    'HEARTBEAT_ACK: reply to each heartbeat',
    async (bot) => {
      const socket = await bot.connect();
      for (let beat = 0; beat < 5; beat += 1) socket.send({ op: 'HEARTBEAT' });
      await socket.eventNames();
      const acks = socket.frames.filter(({ op }) => op === 'HEARTBEAT_ACK');
      expect(acks).toEqual(Array.from({ length: 6 }, () => ({ op: 'HEARTBEAT_ACK' })));
    },
  ],
  [
    'DISPATCH: envelope for every event; the event name is in t',
    async (bot) => {
      const socket = await bot.connect();
      bot.adaWrites();
      const frame = await socket.frame(({ t }) => t === 'MESSAGE_CREATE');
      expect(frame).toEqual({ op: 'DISPATCH', t: 'MESSAGE_CREATE', d: expect.any(Object) });
    },
  ],
];

const CONNECTION_RULES: readonly Rule[] = [
  [
    'the sequence is: HELLO, then IDENTIFY, then READY',
    async (bot) => {
      const socket = await bot.connect();
      expect(socket.frames.map(({ op, t }) => t ?? op)).toEqual(['HELLO', 'READY']);
      const early = await bot.connect({ identify: false });
      early.send({ op: 'HEARTBEAT' });
      await early.closeCode();
      expect(early.frames.map(({ op }) => op)).toEqual(['HELLO']);
    },
  ],
  [
    'intents is optional and narrows delivery',
    async (bot) => {
      const socket = await bot.connect();
      await causeEveryEvent(bot);
      expect(await socket.eventNames()).toEqual([
        'MESSAGE_CREATE',
        'MESSAGE_UPDATE',
        'MESSAGE_DELETE',
        'MESSAGE_CREATE',
        'MESSAGE_REACTION_ADD',
        'MESSAGE_REACTION_REMOVE',
        'VOICE_STATE_UPDATE',
        'VOICE_STATE_UPDATE',
        'APPLICATION_COMMAND',
      ]);
      socket.close();
      const narrow = await bot.connect({ intents: ['MESSAGE_REACTIONS'] });
      await causeEveryEvent(bot);
      expect(await narrow.eventNames()).toEqual([
        'MESSAGE_REACTION_ADD',
        'MESSAGE_REACTION_REMOVE',
      ]);
      narrow.close();
      const none = await bot.connect({ intents: [] });
      await causeEveryEvent(bot);
      expect(await none.eventNames()).toEqual([]);
    },
  ],
  [
    'the client must receive an acknowledgement for each heartbeat in time; otherwise it reconnects',
    async (bot) => {
      bot.simulator.setFaults({
        rules: [{ name: 'dead', on: { frame: 'HEARTBEAT_ACK' }, do: { type: 'silence' } }],
      });
      const socket = await bot.connect();
      socket.send({ op: 'HEARTBEAT' });
      // The same process serves this request after the heartbeat.
      await bot.api('GET', '/users/@me');
      expect(socket.frames.some(({ op }) => op === 'HEARTBEAT_ACK')).toBe(false);
      bot.simulator.setFaults({ rules: [] });
      const again = await bot.connect();
      expect(await again.eventNames()).toEqual([]);
    },
  ],
  [
    'session resume and invalid-session recovery are unsupported',
    async (bot) => {
      const first = await bot.connect();
      first.close();
      await first.closeCode();
      bot.adaWrites();
      const second = await bot.connect();
      // Missed events are not sent again.
      expect(await second.eventNames()).toEqual([]);
      const third = await bot.connect({ identify: false });
      third.send({ op: 'RESUME', d: { token: bot.simulator.token } });
      await third.closeCode();
      expect(third.frames.map(({ op }) => op)).toEqual(['HELLO']);
    },
  ],
];

describe('connection frames', () => {
  testRules(CONNECTION_FRAMES);
});
describe('rules of the connection', () => {
  testRules(CONNECTION_RULES);
});
