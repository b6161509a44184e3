import { EVENTS, type EventName } from '@virgule/core/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHANNEL, interactionId, MESSAGE, OTHER_USER, SERVER } from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import { isPlainCommand, isPlainMessage } from './read-payload.js';
import { runs } from '../../../../core/test/fixtures/property-runs.js';

const isPlainPayload = (event: EventName, d: unknown): boolean =>
  event === 'APPLICATION_COMMAND' ? isPlainCommand(d) : isPlainMessage(d);

const message = { ...messageWith({ authorId: OTHER_USER }), serverId: SERVER };
const command = {
  interactionId: interactionId(1),
  serverId: SERVER,
  channelId: CHANNEL,
  name: 'x',
  rawInput: '/x',
};

/** Payloads as the platform is known to send them. */
const PLAIN: readonly (readonly [EventName, Readonly<Record<string, unknown>>])[] = [
  ['MESSAGE_CREATE', message],
  ['MESSAGE_UPDATE', { ...message, editedAt: '2026-01-01T00:00:00.000Z' }],
  ['MESSAGE_CREATE', { ...message, replyTo: { id: MESSAGE }, serverId: undefined, mood: 'new' }],
  ['MESSAGE_UPDATE', { ...message, pinnedAt: '2026-01-01T00:00:00Z', pinnedByUserId: OTHER_USER }],
  ['APPLICATION_COMMAND', command],
];

describe('a plain payload', () => {
  it.each(PLAIN)('is %s as it is sent, and its schema would change nothing of it', (event, d) => {
    expect(isPlainPayload(event, d)).toBe(true);
    expect(EVENTS[event].payload.parse(d)).toEqual(d);
  });

  it('leaves every part that is missing or of another kind to the schema', () => {
    for (const [event, d] of PLAIN) {
      for (const key of Object.keys(d)) {
        if (key === 'mood' || key === 'serverId') continue;
        const { [key]: _, ...without } = d;
        expect([event, key, isPlainPayload(event, without)]).toEqual([event, key, false]);
        const odd = { ...d, [key]: [7] };
        expect([event, key, isPlainPayload(event, odd)]).toEqual([event, key, false]);
      }
    }
  });

  it('never accepts what the schema refuses, except for letters within an id or a time', () => {
    const parts = fc.constantFrom(
      null,
      undefined,
      '',
      'text',
      7,
      1.5,
      true,
      [],
      {},
      CHANNEL,
      `${CHANNEL}a`,
      '2026-01-01T00:00:00Z',
      { kind: 'unicode', unicodeEmoji: '👍' },
      { kind: 'custom', customEmojiId: 'none' },
    );
    fc.assert(
      fc.property(
        fc
          .constantFrom(...PLAIN)
          .chain(([event, d]) =>
            fc.tuple(
              fc.constant(event),
              fc.constant(d),
              fc.dictionary(fc.constantFrom(...Object.keys(d)), parts, { maxKeys: 2 }),
            ),
          ),
        ([event, d, changes]) => {
          const changed = { ...d, ...changes };
          const isValid = EVENTS[event].payload.safeParse(changed).success;
          expect(isPlainPayload(event, changed) && !isValid).toBe(false);
        },
      ),
      { numRuns: runs(600) },
    );
  });

  it.each([null, undefined, 'text', 7, []])('leaves %j to the schema', (d) => {
    for (const [event] of PLAIN) expect(isPlainPayload(event, d)).toBe(false);
  });
});

describe('isPlainCommand', () => {
  it('wants ids, a name and the typed line', () => {
    expect(isPlainCommand(command)).toBe(true);
    expect(isPlainCommand({ ...command, userId: OTHER_USER })).toBe(true);
    for (const id of ['', 'general', `${CHANNEL}0`, CHANNEL.replaceAll('-', '_')])
      expect(isPlainCommand({ ...command, channelId: id })).toBe(false);
  });
});
