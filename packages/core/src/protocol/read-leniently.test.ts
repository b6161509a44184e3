import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFixture, readFixtureObject } from '../../test/read-fixture.js';
import { commandSchema } from './commands.js';
import { EVENTS, readySchema } from './gateway.js';
import { messagePageSchema, messageSchema, type MessagePage } from './messages.js';
import { readLeniently } from './read-leniently.js';
import { uploadSessionSchema } from './uploads.js';
import * as z from 'zod';

const message = readFixtureObject('message');
const page = readFixtureObject('message-page') as unknown as MessagePage;

describe('readLeniently', () => {
  it('reads what is as stated as its schema does', () => {
    expect(readLeniently(messageSchema, message)).toEqual({
      success: true,
      data: messageSchema.parse(message),
      odd: [],
    });
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
    ['a time without an offset', { createdAt: '2024-05-01T12:00:00' }, {}, ['createdAt']],
    ['a time in milliseconds', { createdAt: 1_714_564_800_000 }, {}, ['createdAt']],
    ['files that are null', { attachments: null }, { attachments: [] }, []],
    ['no reactions', { reactions: undefined }, { reactions: [] }, []],
    ['no name', { authorDisplayName: undefined }, {}, ['authorDisplayName']],
    ['a name that is null', { authorUsername: null }, {}, ['authorUsername']],
    ['an odd id that can be null', { pinnedByUserId: 'x' }, {}, ['pinnedByUserId']],
    ['a flag that is a number', { isDeleted: 0 }, {}, ['isDeleted']],
    ['a reply that is a list', { replyTo: [] }, {}, ['replyTo']],
  ])('reads a message with %s', (_what, change, read, odd) => {
    const value = { ...message, ...change };
    const reading = readLeniently(messageSchema, JSON.parse(JSON.stringify(value)));
    expect(reading).toEqual({
      success: true,
      data: JSON.parse(JSON.stringify({ ...value, ...read })),
      odd,
    });
  });

  it.each([
    ['no id', { id: undefined }],
    ['an id that is none', { channelId: 'general' }],
    ['an author that is null', { authorId: null }],
  ])('refuses a message with %s, and says why', (_what, change) => {
    const reading = readLeniently(messageSchema, { ...message, ...change });
    expect(reading).toMatchObject({ success: false, field: Object.keys(change)[0] });
  });

  it.each([null, undefined, 'text', 7, []])('refuses %j', (value) => {
    expect(readLeniently(messageSchema, value).success).toBe(false);
  });

  it('passes invalid items of a list through in place, and leaves null out', () => {
    const items = [{ content: 'no id' }, message, null, { ...message, id: 7 }, message, 'text'];
    const reading = readLeniently(messagePageSchema, { ...page, messages: items });
    const parsed = messageSchema.parse(message);
    expect(reading).toMatchObject({
      success: true,
      data: { messages: [items[0], parsed, items[3], parsed, 'text'] },
      odd: ['messages.0', 'messages.2', 'messages.3', 'messages.5'],
    });
  });

  it('reads the other fields of the items next to them', () => {
    const late = { ...message, createdAt: 'yesterday' };
    const reading = readLeniently(messagePageSchema, { ...page, messages: [{}, late] });
    expect(reading).toMatchObject({ data: { messages: [{}, late] } });
  });

  it('refuses a page without messages: it is something else', () => {
    expect(readLeniently(messagePageSchema, {}).success).toBe(false);
    expect(readLeniently(z.array(messageSchema), { error: 'log in' }).success).toBe(false);
    expect(readLeniently(z.array(messageSchema), null).success).toBe(false);
  });

  it('reads a limit that means "none": 2^53 - 1 in place of what has lost digits', () => {
    const session = readFixtureObject('upload-session');
    const text = JSON.stringify({ ...session, maxBytes: 0 }).replace(
      '"maxBytes":0',
      '"maxBytes":9223372036854775807',
    );
    expect(readLeniently(uploadSessionSchema, JSON.parse(text))).toMatchObject({
      data: { maxBytes: Number.MAX_SAFE_INTEGER },
      odd: [],
    });
    expect(readLeniently(uploadSessionSchema, { ...session, uploadUrl: null }).success).toBe(false);
    expect(readLeniently(uploadSessionSchema, { ...session, objectKey: 7 }).success).toBe(false);
  });

  it('reads READY without a name or a list of servers', () => {
    const { d } = readFixture('frame-ready') as { readonly d: Record<string, unknown> };
    const { displayName: _, serverIds: __, ...rest } = d;
    expect(readLeniently(readySchema, rest)).toEqual({
      success: true,
      data: { ...rest, serverIds: [] },
      odd: ['displayName'],
    });
    expect(readLeniently(readySchema, { ...d, botUserId: 7 }).success).toBe(false);
  });

  it('reads nested fields of items', () => {
    const command = readFixtureObject('command');
    const options = [{ name: 'sides', description: 'Faces', type: 'integer' }];
    expect(readLeniently(z.array(commandSchema), [{ ...command, options }])).toMatchObject({
      data: [{ options }],
      odd: ['0.options.0.required'],
    });
  });

  it('parses each part twice at most, however many items are odd', () => {
    let parsed = 0;
    const counted = z.string().check(() => {
      parsed += 1;
    });
    const schema = z.looseObject({
      items: z.array(z.looseObject({ id: z.guid(), text: counted, at: z.iso.datetime() })),
    });
    const { id } = message;
    const items = Array.from({ length: 10_000 }, (_, index) => ({
      id: index % 2 === 0 ? id : index,
      text: 'x',
      at: 'yesterday',
    }));
    const reading = readLeniently(schema, { items });
    expect(reading).toMatchObject({ success: true, data: { items } });
    // An item with an odd id passes through unchanged.
    expect(reading.success && reading.odd.slice(0, 3)).toEqual([
      'items.0.at',
      'items.1',
      'items.2.at',
    ]);
    expect(parsed).toBeLessThanOrEqual(2 * items.length);
  });

  it('passes all items through as they came after 1,000 odd ones', () => {
    let parsed = 0;
    const counted = z.string().check(() => {
      parsed += 1;
    });
    const schema = z.looseObject({ items: z.array(z.looseObject({ text: counted, at: z.int() })) });
    const items = Array.from({ length: 20_000 }, () => ({ text: 'x', at: 'yesterday' }));
    expect(readLeniently(schema, { items })).toMatchObject({ success: true, data: { items } });
    // Each item is parsed once by the strict parse, and then a thousand are parsed again.
    expect(parsed).toBe(items.length + 1_000);
  });

  it('reads READY whatever its serverIds are', () => {
    const { d } = readFixture('frame-ready') as { readonly d: Record<string, unknown> };
    const serverIds = Array.from({ length: 340 }, (_, index) => index);
    const reading = readLeniently(readySchema, { ...d, serverIds });
    expect(reading).toMatchObject({ success: true, data: { ...d, serverIds } });
    expect(readLeniently(readySchema, { ...d, serverIds: 'none' })).toMatchObject({
      data: { serverIds: [] },
      odd: ['serverIds'],
    });
  });

  it('names more odd items than a function takes arguments', () => {
    const schema = z.looseObject({ lists: z.array(z.array(z.string())) });
    const lists = Array.from({ length: 150_000 }, () => null);
    const reading = readLeniently(schema, { lists });
    expect(reading.success && reading.odd).toHaveLength(150_000);
  });

  it('passes an odd id on where it can be absent', () => {
    const { payload } = EVENTS.MESSAGE_CREATE;
    const reading = readLeniently(payload, { ...message, serverId: null });
    expect(reading).toMatchObject({ data: { serverId: null }, odd: ['serverId'] });
  });

  it('reads an absent id that can be null as null', () => {
    const { payload } = EVENTS.VOICE_STATE_UPDATE;
    const { channelId, authorId: userId } = message;
    expect(readLeniently(payload, { serverId: channelId, userId })).toMatchObject({
      data: { channelId: null },
      odd: [],
    });
  });

  it('never throws, never changes its input, and returns every field of it', () => {
    const schemas = Object.values(EVENTS).map(({ payload }) => payload);
    fc.assert(
      fc.property(
        fc.constantFrom(...schemas, messagePageSchema, readySchema),
        fc.dictionary(
          fc.constantFrom(...Object.keys(message), 'messages', 'serverIds', 'emoji', 'count'),
          fc.jsonValue({ maxDepth: 3 }),
        ),
        fc.boolean(),
        (schema, fields, isMessage) => {
          const value = isMessage ? { ...message, ...fields } : { ...fields, messages: [fields] };
          const before = JSON.stringify(value);
          const reading = readLeniently(schema, value);
          expect(JSON.stringify(value)).toBe(before);
          if (!reading.success) return;
          expect(Object.keys(Object(reading.data))).toEqual(
            expect.arrayContaining(Object.keys(value)),
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
