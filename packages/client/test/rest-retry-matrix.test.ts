import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import type { Rest } from '@virgule/client/rest';
import { readFixture } from './read-fixture.js';
import { createScriptedDispatcher, type Mishap, type Reply } from './scripted-dispatcher.js';
import { CHANNEL, INTERACTION, MESSAGE, errorOf, openRest } from './test-rest.js';

const SERVER = '1eda5f30-7b42-6c18-9e03-4f7a2b9c6d51';
const USER = '0b7e5d21-64c8-4f39-a05b-e8d1973c6f42';
const ATTACHMENT = 'c2f85d10-3e6b-4a97-8d04-1b7e9f5c6a32';
const EMOJI = { unicodeEmoji: '🎲' };
const TEXT = { content: 'Hi' };

/**
 * Effect of a second request. `repeat`: nothing more than the first. `repeat, needs body`: the
 * same, and the answer's body is stated. `delete`: find nothing. `acknowledge`: learn that it was
 * answered. `never`: make a second message, or a second participant.
 */
type Kind =
  | 'repeat'
  | 'repeat, needs body'
  | 'delete'
  | 'acknowledge'
  | 'never'
  | 'never, needs body';

const CALLS: Readonly<Record<string, readonly [Kind, (rest: Rest) => Promise<unknown>]>> = {
  'GET me': ['repeat, needs body', (rest) => rest.users.me()],
  'GET servers': ['repeat, needs body', (rest) => rest.servers.list()],
  'GET channels': ['repeat, needs body', (rest) => rest.servers.channels(SERVER)],
  'GET emojis': ['repeat, needs body', (rest) => rest.servers.emojis(SERVER)],
  'GET messages': ['repeat, needs body', (rest) => rest.messages.list(CHANNEL)],
  'POST message': ['never', (rest) => rest.messages.send(CHANNEL, TEXT)],
  'DELETE message': ['delete', (rest) => rest.messages.delete(CHANNEL, MESSAGE)],
  'GET message': ['repeat, needs body', (rest) => rest.messages.get(CHANNEL, MESSAGE)],
  'PATCH message': ['repeat', (rest) => rest.messages.edit(CHANNEL, MESSAGE, TEXT)],
  'GET context': ['repeat, needs body', (rest) => rest.messages.context(CHANNEL, MESSAGE)],
  'POST typing': ['repeat', (rest) => rest.channels.typing(CHANNEL)],
  'DELETE reactions': ['delete', (rest) => rest.reactions.clear(CHANNEL, MESSAGE)],
  'GET reactions': ['repeat', (rest) => rest.reactions.list(CHANNEL, MESSAGE)],
  'GET details': ['repeat, needs body', (rest) => rest.reactions.details(CHANNEL, MESSAGE)],
  'DELETE own reaction': ['delete', (rest) => rest.reactions.remove(CHANNEL, MESSAGE, EMOJI)],
  'PUT own reaction': ['repeat', (rest) => rest.reactions.add(CHANNEL, MESSAGE, EMOJI)],
  'DELETE a reaction': [
    'delete',
    (rest) => rest.reactions.removeUser(CHANNEL, MESSAGE, USER, EMOJI),
  ],
  'GET access URL': [
    'repeat, needs body',
    (rest) => rest.attachments.accessUrl(CHANNEL, MESSAGE, ATTACHMENT),
  ],
  'POST upload session': [
    'repeat, needs body',
    (rest) =>
      rest.attachments.openUpload(CHANNEL, { fileName: 'a', contentType: 'text/plain', size: 1 }),
  ],
  'DELETE ingress': ['delete', (rest) => rest.voice.closeIngress(CHANNEL)],
  'POST ingress': ['never, needs body', (rest) => rest.voice.openIngress(CHANNEL)],
  'POST join': ['repeat, needs body', (rest) => rest.voice.join(CHANNEL)],
  'POST leave': ['repeat', (rest) => rest.voice.leave(CHANNEL)],
  'GET voice state': ['repeat', (rest) => rest.voice.state(SERVER)],
  'GET commands': ['repeat, needs body', (rest) => rest.commands.list()],
  'PUT commands': ['repeat', (rest) => rest.commands.replace([])],
  'POST ack': ['acknowledge', (rest) => rest.interactions.ack(INTERACTION)],
  'POST defer': ['acknowledge', (rest) => rest.interactions.defer(INTERACTION)],
  'POST follow-up': ['never', (rest) => rest.interactions.followUp(INTERACTION, TEXT)],
  'PATCH response': ['repeat', (rest) => rest.interactions.editResponse(INTERACTION, TEXT)],
  'POST response': ['never', (rest) => rest.interactions.respond(INTERACTION, TEXT)],
};

/** Number of tries of a call, and the code of its end. `fine` is a success. */
type Cell = readonly [tries: number | 'until the deadline', end: string];

type Row = Readonly<Record<Kind, Cell>>;

/** The same for all that may be repeated, and for all that may not. */
function row(repeat: Cell, never: Cell, others: Partial<Row> = {}): Row {
  return {
    repeat,
    'repeat, needs body': repeat,
    delete: repeat,
    acknowledge: repeat,
    never,
    'never, needs body': never,
    ...others,
  };
}

const refused: Cell = [1, 'E_API_REFUSED'];
const unknown: Cell = [1, 'E_OUTCOME_UNKNOWN'];
const threeTimes: Cell = [3, 'E_API_REFUSED'];
const patient: Cell = ['until the deadline', 'E_API_REFUSED'];
const unreachable: Cell = ['until the deadline', 'E_UNREACHABLE'];
const already = { status: 409, json: { code: 'bot_interaction_already_answered' } };

const MATRIX: readonly (readonly [string, readonly (Reply | Mishap)[], Row])[] = [
  ['no connection', ['unsent'], row(unreachable, unreachable)],
  ['429, then an answer', [{ status: 429 }, {}], row([2, 'fine'], [2, 'fine'])],
  ['a reset before the answer', ['reset'], row([3, 'E_OUTCOME_UNKNOWN'], unknown)],
  // Each answer may take half of the deadline, that to an acknowledgement 2.5 s.
  [
    'no answer in time',
    ['silence'],
    row([2, 'E_TIMEOUT'], unknown, { acknowledge: [3, 'E_TIMEOUT'] }),
  ],
  [
    'a reset in the body of a success',
    [{ brokenAfter: 200 }],
    row([1, 'fine'], [1, 'fine'], {
      'repeat, needs body': [3, 'E_OUTCOME_UNKNOWN'],
      'never, needs body': unknown,
    }),
  ],
  ['a reset in the body of a refusal', [{ brokenAfter: 403 }], row(refused, refused)],
  ...[500, 504].map((status) => {
    const json = { code: 'bot_error' };
    return [`${status} of the platform`, [{ status, json }], row(threeTimes, unknown)] as const;
  }),
  ...[500, 502, 503, 504, 521].map(
    (status) => [String(status), [{ status }], row(patient, unknown)] as const,
  ),
  ['408', [{ status: 408 }], row(threeTimes, unknown)],
  ...[400, 403, 404, 409, 410, 422, 499].map(
    (status) => [String(status), [{ status }], row(refused, refused)] as const,
  ),
  ['401', [{ status: 401 }], row([1, 'E_UNAUTHORIZED'], [1, 'E_UNAUTHORIZED'])],
  [
    'a reset, then 404',
    ['reset', { status: 404 }],
    row([2, 'E_API_REFUSED'], unknown, { delete: [2, 'fine'] }),
  ],
  [
    'a 502, then "answered already"',
    [{ status: 502 }, already],
    row([2, 'E_API_REFUSED'], unknown, { acknowledge: [2, 'fine'] }),
  ],
  [
    'a reset, then 409 without a code',
    ['reset', { status: 409 }],
    row([2, 'E_API_REFUSED'], unknown, { acknowledge: [2, 'fine'] }),
  ],
  [
    'a reset, then "answered already" with another status',
    ['reset', { ...already, status: 400 }],
    row([2, 'E_API_REFUSED'], unknown),
  ],
  [
    'a reset, then "answered already" with a status of 500',
    ['reset', { ...already, status: 500 }],
    row(threeTimes, unknown),
  ],
  [
    'a reset, then 409 with another code',
    ['reset', { status: 409, json: { code: 'bot_channel_archived' } }],
    row([2, 'E_API_REFUSED'], unknown),
  ],
  ['a reset, then 401', ['reset', { status: 401 }], row([2, 'E_UNAUTHORIZED'], unknown)],
  [
    'no connection, then a reset',
    ['unsent', 'reset'],
    row([4, 'E_OUTCOME_UNKNOWN'], [2, 'E_OUTCOME_UNKNOWN']),
  ],
];

/** Fixtures of the successful responses whose shape is stated. */
const BODIES: Readonly<Record<string, string>> = {
  'GET me': 'bot-me',
  'GET servers': 'server-list',
  'GET channels': 'channel-list',
  'GET emojis': 'custom-emoji-list',
  'GET messages': 'message-page',
  'GET message': 'message',
  'GET context': 'message-context',
  'GET details': 'message-reaction-details',
  'GET access URL': 'attachment-access-url',
  'POST upload session': 'upload-session',
  'POST ingress': 'voice-ingress',
  'POST join': 'voice-join',
  'GET commands': 'command-list',
};

describe.each(MATRIX)('after %s', (_name, replies, expected) => {
  it.each(Object.entries(CALLS))('%s', async (name, [kind, call]) => {
    const body = BODIES[name];
    const clock = createFakeClock();
    const dispatcher = createScriptedDispatcher((_request, index) => {
      const reply = replies[Math.min(index, replies.length - 1)] ?? 'silence';
      const isGood = typeof reply === 'object' && !('brokenAfter' in reply) && !reply.status;
      return isGood && body ? { json: readFixture(body) } : reply;
    });
    const rest = openRest('http://chat.test', { clock, dispatcher, deadlineMs: 120_000 });
    let isOver = false;
    const outcome = call(rest).then(
      () => 'fine',
      async (error: unknown) => (await errorOf(Promise.reject(error))).code,
    );
    void outcome.finally(() => (isOver = true));
    while (!isOver) await clock.advance(10_000);

    const [first] = dispatcher.requests;
    const same = dispatcher.requests.filter(
      ({ method, path }) => method === first?.method && path === first.path,
    );
    const [tries, end] = expected[kind];
    // A read has no effect that could be unknown.
    const isRead = name.startsWith('GET ');
    expect(await outcome).toBe(isRead && end === 'E_OUTCOME_UNKNOWN' ? 'E_UNREACHABLE' : end);
    // At most 2 s apart, and a second on average.
    expect(same.length > 80 ? 'until the deadline' : same.length).toBe(tries);
    // A repeat is the same request, to the byte.
    expect(new Set(same.map((request) => request.body)).size).toBe(1);
  });
});

describe('the retry matrix', () => {
  it('has a row for every endpoint of a bot', () => {
    expect(Object.keys(CALLS)).toHaveLength(31);
  });
});
