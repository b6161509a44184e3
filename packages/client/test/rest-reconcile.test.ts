import type { Message } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import {
  isOutcomeUnknown,
  sendReconciled,
  type MessageBody,
  type Rest,
  type SendReconciledOptions,
} from '@virgule/client/rest';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import {
  createScriptedDispatcher,
  type Mishap,
  type Reply,
  type ScriptedDispatcher,
} from './scripted-dispatcher.js';
import { createWatchedClock, type WatchedClock } from './watched-clock.js';
import { CHANNEL, INTERACTION, errorOf, openRest } from './test-rest.js';

const ME = '3d0f6a58-91c2-4e7b-8a4d-62b0f5c9e317';
const OTHER = '0b7e5d21-64c8-4f39-a05b-e8d1973c6f42';

/** Fate of a message: its arrival in the channel, and the response. */
type Fate = { readonly lands: boolean; readonly reply?: Mishap | Reply };

interface Channel {
  readonly rest: Rest;
  readonly clock: WatchedClock;
  /** Newest first. */
  readonly messages: Message[];
  /** Puts a message there. */
  add(content: string, more?: { readonly authorId?: string; readonly agoMs?: number }): Message;
  /** Returns the number of requests of a kind such as `POST /messages`. */
  count(method: string, ending: string): number;
  send(options?: SendReconciledOptions, content?: string): Promise<Message | undefined>;
}

interface ChannelOptions {
  /** Fates of the messages in turn; the last one applies to all further messages. */
  readonly fates?: readonly Fate[];
  /** Difference of the platform's clock from ours, in milliseconds. */
  readonly clockOffMs?: number;
  readonly pageSize?: number;
  /** Replaces the time of each message. */
  readonly createdAt?: () => unknown;
  /** Returns another response for the n-th reading after the sending; -1 is the reading before it. */
  readonly reading?: (index: number) => Reply | Mishap | undefined;
  readonly stepping?: boolean;
}

/** A platform with one channel. */
function openChannel({
  fates = [],
  clockOffMs = 0,
  pageSize = 50,
  createdAt: givenTime,
  reading,
  stepping = true,
}: ChannelOptions = {}): Channel {
  const clock = createWatchedClock({ stepping });
  const messages: Message[] = [];
  let sends = 0;
  let reads = 0;
  let ids = 0;
  const message = readFixture('assumed-message-plain') as Message;

  const add: Channel['add'] = (content, { authorId = ME, agoMs = 0 } = {}) => {
    ids += 1;
    const id = `f06b2e94-7d51-8a3c-9740-${String(ids).padStart(12, '0')}`;
    const createdAt = new Date(clock.now() + clockOffMs - agoMs).toISOString();
    const added = { ...message, id, channelId: CHANNEL, authorId, content, createdAt } as Message;
    if (givenTime) Object.assign(added, { createdAt: givenTime() });
    messages.unshift(added);
    return added;
  };

  function page(path: string): Reply {
    const before = new URL(path, 'http://chat.test').searchParams.get('before');
    const from = before === null ? 0 : messages.findIndex(({ id }) => id === before) + 1;
    const shown = messages.slice(from, from + pageSize);
    return {
      json: {
        messages: shown,
        hasMore: from + pageSize < messages.length,
        oldestId: shown.at(-1)?.id ?? null,
      },
    };
  }

  const dispatcher: ScriptedDispatcher = createScriptedDispatcher(({ method, path, body }) => {
    if (path.endsWith('/users/@me')) {
      return { json: { ...Object(readFixture('bot-me')), botUserId: ME.toUpperCase() } };
    }
    const { content } = typeof body === 'string' ? JSON.parse(body) : { content: '' };
    if (path.endsWith('/response')) return { json: add(content) };
    if (method === 'GET') return reading?.(reads++ - 1) ?? page(path);
    const fate = fates[Math.min(sends++, fates.length - 1)] ?? { lands: true };
    const added = fate.lands ? add(content) : undefined;
    return fate.reply ?? { json: added };
  });
  const rest = openRest('http://chat.test', { clock, dispatcher });
  return {
    rest,
    clock,
    messages,
    add,
    count: (method, ending) =>
      dispatcher.requests.filter(
        (request) => request.method === method && request.path.split('?')[0]?.endsWith(ending),
      ).length,
    send: (options = {}, content = 'pong') =>
      sendReconciled(rest, CHANNEL, { content }, { clock, ...options }),
  };
}

/** Lets time pass until a call ends. */
async function passing<T>({ clock }: Channel, call: Promise<T>): Promise<T> {
  let isOver = false;
  void call.catch(() => {}).finally(() => (isOver = true));
  await eventually(async () => {
    await clock.advance(500);
    expect(isOver).toBe(true);
  });
  return call;
}

const lost: Fate = { lands: false, reply: 'reset' };
const landed: Fate = { lands: true, reply: 'reset' };

describe('sendReconciled', () => {
  it('returns the message when the channel shows it, and sends nothing more', async () => {
    const channel = openChannel({ fates: [landed] });
    channel.add('before', { agoMs: 60_000 });
    expect(await channel.send()).toEqual(channel.messages[0]);
    expect(channel.count('POST', '/messages')).toBe(1);
    expect(channel.clock.sleepsMs).toEqual([]);
  });

  it('reads only the newest message when the answer came', async () => {
    const channel = openChannel();
    expect(await channel.send()).toEqual(channel.messages[0]);
    expect(channel.count('GET', '/messages')).toBe(1);
  });

  it('is not done unless it is asked for', async () => {
    const channel = openChannel({ fates: [landed] });
    const error = await errorOf(channel.rest.messages.send(CHANNEL, { content: 'pong' }));
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(error.details['reconciled']).toBeUndefined();
    expect(channel.count('GET', '/messages')).toBe(0);
  });

  it('sends it once more when three readings in 5 s do not show it', async () => {
    const channel = openChannel({ fates: [lost, { lands: true }] });
    channel.add('old', { agoMs: 60_000 });
    expect(await channel.send()).toEqual(channel.messages[0]);
    expect(channel.count('POST', '/messages')).toBe(2);
    expect(channel.count('GET', '/messages')).toBe(4);
    expect(channel.clock.sleepsMs).toEqual([1_000, 4_000]);
  });

  it.each([
    [
      'throws',
      (): never => {
        throw new Error('broken progress bar');
      },
    ],
    ['rejects', (): unknown => Promise.reject(new Error('broken progress bar'))],
  ])('sends it once more although onRetry %s', async (_how, onRetry) => {
    const channel = openChannel({ fates: [lost, { lands: true }] });
    channel.add('old', { agoMs: 60_000 });
    expect(await channel.send({ onRetry })).toEqual(channel.messages[0]);
  });

  it('finds a message that lands late', async () => {
    let late: Message | undefined;
    const channel = openChannel({
      fates: [lost],
      reading: (index) => {
        if (index === 2) late = channel.add('pong');
        return undefined;
      },
    });
    expect(await channel.send()).toEqual(late);
    expect(channel.count('POST', '/messages')).toBe(1);
  });

  it('finds what the second sending left, too', async () => {
    const channel = openChannel({ fates: [lost, landed] });
    expect(await channel.send()).toEqual(channel.messages[0]);
    expect(channel.messages).toHaveLength(1);
  });

  it.each([
    ['says where it goes on', { hasMore: true, oldestId: null }],
    ['says whether it goes on', { oldestId: null }],
  ])('is not sent again when no page of the channel %s', async (_, ends) => {
    const channel = openChannel({
      fates: [landed],
      reading: (index) => {
        if (index < 0) return undefined;
        // Its own message is behind those of others.
        const messages = Array.from({ length: 50 }, () => channel.add('busy', { authorId: OTHER }));
        return { json: { messages, ...ends } };
      },
    });
    const error = await errorOf(channel.send());
    expect(error.code).toBe('E_OUTCOME_UNKNOWN');
    expect(channel.count('POST', '/messages')).toBe(1);
  });

  it('does not send it a third time', async () => {
    const channel = openChannel({ fates: [lost] });
    const error = await errorOf(channel.send());
    expect(error.code).toBe('E_OUTCOME_UNKNOWN');
    expect(error.details['reconciled']).toBe('missing');
    expect(channel.count('POST', '/messages')).toBe(2);
  });

  it.each([
    ['a 500', 500, 2],
    ['a 502', 502, 2],
    ['a 503', 503, 2],
    ['a 521', 521, 2],
    ['a 504, behind which the platform may still be at work', 504, 1],
    ['a 524, which means the same', 524, 1],
    ['a 408, after which the platform has stopped', 408, 2],
  ])('after %s (%i) it is sent so often: %i', async (_name, status, times) => {
    const channel = openChannel({ fates: [{ lands: false, reply: { status } }] });
    expect((await errorOf(channel.send())).code).toBe('E_OUTCOME_UNKNOWN');
    expect(channel.count('POST', '/messages')).toBe(times);
  });

  it('is not sent again when no answer came in time: it may still be worked on', async () => {
    const channel = openChannel({ fates: [{ lands: false, reply: 'silence' }] });
    const call = errorOf(channel.send());
    await eventually(() => expect(channel.count('POST', '/messages')).toBe(1));
    await channel.clock.advance(15_000);
    expect((await call).details['reconciled']).toBe('missing');
    expect(channel.count('POST', '/messages')).toBe(1);
    expect(channel.count('GET', '/messages')).toBe(4);
  });

  it.each<[string, (channel: Channel) => void]>([
    ['somebody else wrote', ({ add }) => void add('pong', { authorId: OTHER })],
    ['says something else', ({ add }) => void add('ping')],
    ['is from before', ({ add }) => void add('pong', { agoMs: 6_000 })],
  ])('does not take a message for its own that %s', async (_name, prepare) => {
    const channel = openChannel({ fates: [lost, { lands: true }] });
    prepare(channel);
    expect(await channel.send()).toEqual(channel.messages[0]);
    expect(channel.count('POST', '/messages')).toBe(2);
  });

  it('knows its text when the platform took blanks and line ends away', async () => {
    const channel = openChannel({
      fates: [lost],
      reading: (index) => {
        if (index === 0) channel.add('a\nb');
        return undefined;
      },
    });
    expect(await channel.send({}, ' a\r\nb\n')).toEqual(channel.messages[0]);
    expect(channel.messages).toHaveLength(1);
  });

  it('does not take the message of another call for its own', async () => {
    const channel = openChannel({
      fates: [{ lands: true }, lost, { lands: true }],
      stepping: false,
    });
    const first = await channel.send();
    const second = await passing(channel, channel.send());
    expect(second).toEqual(channel.messages[0]);
    expect(second?.id).not.toBe(first?.id);
    expect(channel.count('POST', '/messages')).toBe(3);
  });

  it('does not take an earlier answer to a command for its own', async () => {
    const channel = openChannel({ fates: [lost, { lands: true }] });
    const answer = await channel.rest.interactions.respond(INTERACTION, { content: 'pong' });
    expect((await channel.send())?.id).not.toBe(answer.message()?.id);
    expect(channel.messages.filter(({ content }) => content === 'pong')).toHaveLength(2);
  });

  it.each([
    ['has its text by an edit', { editedAt: '2026-01-01T00:00:00Z' }, {}],
    ['is no reply', { replyTo: null }, { replyToMessageId: INTERACTION }],
  ])('does not take a message that %s for its own', async (_what, fields, more) => {
    const channel = openChannel({ fates: [lost, { lands: true }], stepping: false });
    const body = { content: 'pong', ...more };
    const sending = sendReconciled(channel.rest, CHANNEL, body, { clock: channel.clock });
    await eventually(() => expect(channel.count('GET', '/messages')).toBe(1));
    Object.assign(channel.add('pong'), fields);
    // The platform may report these fields in another way, so the message is not sent again either.
    const error = await passing(channel, errorOf(sending));
    expect(error).toMatchObject({ code: 'E_OUTCOME_UNKNOWN', details: { reconciled: 'missing' } });
    expect(channel.count('POST', '/messages')).toBe(1);
  });

  it('uploads its files while an earlier call with the same text is sent', async () => {
    const channel = openChannel({ fates: [{ lands: false, reply: 'silence' }], stepping: false });
    const uploaded: number[] = [];
    const uploadAll = async () => {
      uploaded.push(channel.count('POST', '/messages'));
      return [];
    };
    const rest = { ...channel.rest, attachments: { ...channel.rest.attachments, uploadAll } };
    const send = (body: MessageBody) =>
      errorOf(sendReconciled(rest, CHANNEL, body, { clock: channel.clock, deadlineMs: 30_000 }));
    const first = send({ content: 'pong' });
    await eventually(() => expect(channel.count('POST', '/messages')).toBe(1));
    const second = send({ content: 'pong', files: ['a.txt'] });
    expect(uploaded).toEqual([1]);
    await channel.clock.advance(30_000);
    await Promise.all([first, second]);
  });

  it('is sent after an earlier call with the same text has ended', async () => {
    const channel = openChannel({ fates: [landed, lost, { lands: true }], stepping: false });
    const [one, other] = [channel.send(), channel.send()];
    expect(await one).toEqual(channel.messages[0]);
    expect(await passing(channel, other)).toEqual(channel.messages[0]);
    expect(channel.count('POST', '/messages')).toBe(3);
  });

  it('waits for an earlier call no longer than its deadline, or until it is aborted', async () => {
    const channel = openChannel({ fates: [{ lands: false, reply: 'silence' }], stepping: false });
    const first = errorOf(channel.send());
    await eventually(() => expect(channel.count('POST', '/messages')).toBe(1));
    const controller = new AbortController();
    const aborted = errorOf(channel.send({ signal: controller.signal }));
    controller.abort();
    expect((await aborted).code).toBe('E_ABORTED');
    const late = errorOf(channel.send({ deadlineMs: 2_000 }));
    await channel.clock.advance(2_000);
    expect((await late).code).toBe('E_TIMEOUT');
    await channel.clock.advance(40_000);
    await first;
    expect(channel.count('POST', '/messages')).toBe(1);
  });

  it.each<[string, Fate]>([
    ['answered with a message', { lands: true }],
    ['answered without one', { lands: true, reply: { json: undefined } }],
  ])('is distinguished from an earlier one with the same text that was %s', async (_, first) => {
    const channel = openChannel({ fates: [first, lost, { lands: true }], stepping: false });
    const since = channel.add('old', { agoMs: 60_000 });
    await channel.send({ since });
    const earlier = channel.messages[0];
    expect((await passing(channel, channel.send({ since })))?.id).not.toBe(earlier?.id);
    expect(channel.messages.filter(({ content }) => content === 'pong')).toHaveLength(2);
  });

  it('finds both messages of two calls with the same text', async () => {
    const channel = openChannel({ fates: [landed, landed] });
    const [one, other] = await Promise.all([channel.send(), channel.send()]);
    expect(new Set([one?.id, other?.id]).size).toBe(2);
  });

  it.each([-3_600_000, 3_600_000])('does the same with clocks %s ms apart', async (clockOffMs) => {
    const found = openChannel({ fates: [landed], clockOffMs });
    expect(await found.send()).toEqual(found.messages[0]);
    expect(found.count('POST', '/messages')).toBe(1);
    const missing = openChannel({ fates: [lost, { lands: true }], clockOffMs });
    missing.add('pong', { agoMs: 60_000 });
    expect(await missing.send()).toEqual(missing.messages[0]);
    expect(missing.count('POST', '/messages')).toBe(2);
  });

  it.each([1, 60])(
    'finds it although the clock of the platform was set back, after %i messages',
    async (count) => {
      const channel = openChannel({ fates: [landed] });
      for (let older = count - 1; older >= 0; older -= 1)
        channel.add('pong', { agoMs: older * 1_000 - 19_000 });
      expect(await channel.send()).toEqual(channel.messages[0]);
      expect(channel.count('GET', '/messages')).toBe(2);
    },
  );

  it('finds it although the machine that wrote the newest message has another clock', async () => {
    const channel = openChannel({
      fates: [lost],
      reading: (index) => {
        // It is the one that was sent.
        if (index === 0) channel.add('pong', { agoMs: 900 });
        return undefined;
      },
    });
    channel.add('newest', { agoMs: -100 });
    expect((await channel.send())?.content).toBe('pong');
    expect(channel.count('POST', '/messages')).toBe(1);
  });

  it.each(['yesterday', undefined])(
    'does not send it again where no message has a time (%s)',
    async (createdAt) => {
      const fates = [landed, { lands: true }];
      const channel = openChannel({ fates, pageSize: 1, createdAt: () => createdAt });
      for (const content of ['a', 'b', 'c']) channel.add(content);
      expect((await channel.send())?.content).toBe('pong');
      expect(channel.count('POST', '/messages')).toBe(1);
    },
  );

  it('reads back to what was the newest message before, page by page', async () => {
    const channel = openChannel({
      fates: [landed],
      pageSize: 2,
      reading: (index) => {
        if (index === 0) for (const content of ['a', 'b', 'c']) channel.add(content);
        return undefined;
      },
    });
    channel.add('pong', { agoMs: 1 });
    expect((await channel.send())?.id).toBe(channel.messages[3]?.id);
    expect(channel.count('GET', '/messages')).toBe(3);
  });

  it('gives up in a channel where five pages do not go back far enough', async () => {
    const channel = openChannel({
      fates: [lost],
      reading: (index) => {
        if (index === 0) for (let more = 0; more < 300; more += 1) channel.add(String(more));
        return undefined;
      },
    });
    channel.add('old', { agoMs: 60_000 });
    expect((await errorOf(channel.send())).details['reconciled']).toBe('missing');
    expect(channel.count('GET', '/messages')).toBe(1 + 15);
    expect(channel.count('POST', '/messages')).toBe(1);
  });

  it('sends it as well when the newest message cannot be read in 3 s', async () => {
    const reading = (index: number): Mishap | undefined => (index < 0 ? 'silence' : undefined);
    const channel = openChannel({ reading, stepping: false });
    const sending = channel.send();
    await eventually(() => expect(channel.count('GET', '/messages')).toBe(1));
    await channel.clock.advance(3_000);
    expect(await sending).toEqual(channel.messages[0]);
    const lossy = openChannel({ fates: [landed], reading: () => ({ status: 403 }) });
    expect((await errorOf(lossy.send())).details['reconciled']).toBe('unread');
    expect(lossy.count('POST', '/messages')).toBe(1);
  });

  it('says when the channel cannot be read', async () => {
    const channel = openChannel({ fates: [landed], reading: () => ({ status: 403 }) });
    const error = await errorOf(channel.send());
    expect(error.details).toMatchObject({ endpoint: 'messages.send', reconciled: 'unread' });
  });

  it('continues when one reading fails', async () => {
    const reading = (index: number): Reply | undefined =>
      index === 0 ? { status: 404 } : undefined;
    const channel = openChannel({ fates: [landed], reading });
    expect(await channel.send()).toEqual(channel.messages[0]);
  });

  it('ends at once when its signal is aborted while it looks', async () => {
    const channel = openChannel({ fates: [lost], stepping: false });
    const controller = new AbortController();
    const call = errorOf(channel.send({ signal: controller.signal }));
    await eventually(() => expect(channel.clock.sleeping).toBe(1));
    controller.abort(new Error('enough'));
    const error = await call;
    expect(error.code).toBe('E_ABORTED');
    expect(error.details).toMatchObject({ endpoint: 'messages.send', maybeSent: true });
    expect(error.cause).toEqual(new Error('enough'));
    await channel.rest.close();
    expect(channel.clock.pending).toBe(0);
  });

  it('ends at once when its signal is aborted while the channel is read', async () => {
    const reading = (index: number): Mishap | undefined => (index < 0 ? undefined : 'silence');
    const channel = openChannel({ fates: [lost], reading, stepping: false });
    const controller = new AbortController();
    const call = errorOf(channel.send({ signal: controller.signal }));
    await eventually(() => expect(channel.count('GET', '/messages')).toBe(2));
    const beforeMs = channel.clock.now();
    controller.abort(new Error('enough'));
    const error = await call;
    expect(error.code).toBe('E_ABORTED');
    expect(error.details).toMatchObject({ endpoint: 'messages.send', maybeSent: true });
    expect(channel.clock.now()).toBe(beforeMs);
    await channel.rest.close();
    expect(channel.clock.pending).toBe(0);
  });

  it('ends with its next reading when the client closes', async () => {
    const channel = openChannel({ fates: [lost], stepping: false });
    const call = errorOf(channel.send());
    await eventually(() => expect(channel.clock.sleeping).toBe(1));
    await channel.rest.close();
    await channel.clock.advance(1_000);
    expect((await call).details['reconciled']).toBe('unread');
    expect(channel.clock.pending).toBe(0);
  });

  it('keeps to its deadline', async () => {
    const channel = openChannel({ fates: [lost] });
    const error = await errorOf(channel.send({ deadlineMs: 4_000 }));
    expect(error.details['reconciled']).toBe('missing');
    expect(channel.clock.sleepsMs).toEqual([1_000]);
    expect(channel.count('POST', '/messages')).toBe(1);
  });
});
