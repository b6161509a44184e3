import type { Clock } from '@virgule/core/clock';
import type { Message, MessagePage } from '@virgule/core/protocol';
import { readHistory } from '../src/rest/history.js';
import { readFixture } from './read-fixture.js';
import { connectGateway, makeReady, type TestGateway } from './test-gateway.js';
import { CHANNEL } from './test-rest.js';

export const OTHER_CHANNEL = '0c5d8f61-3be7-4a92-85d4-e17f90a2c6b3';
const template = readFixture('message-with-nulls') as Message;

/** A message of the fake clock's first day. */
export const message = (id: string, second: number, channelId = CHANNEL): Message => ({
  ...template,
  id,
  channelId,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
});

export const created = (d: Message) => ({ op: 'DISPATCH', t: 'MESSAGE_CREATE', d });
export const deleted = (messageId: string, channelId = CHANNEL) => ({
  op: 'DISPATCH',
  t: 'MESSAGE_DELETE',
  d: { channelId, messageId },
});

/** Delivered events, in short: a recovered message has a star. */
export const logged = ({ events }: TestGateway) =>
  events.map(({ t, d, recovered }) => {
    const id: string = Object(d).id ?? Object(d).messageId ?? 'command';
    return `${t === 'MESSAGE_DELETE' ? '-' : ''}${id}${recovered ? '*' : ''}`;
  });

/** A gateway that reads channels back, and the platform's answers to it. */
export function connectWithBackfill(
  channels: (() => readonly string[]) | null = () => [CHANNEL],
  { heedsSignal = true, clock }: { readonly heedsSignal?: boolean; readonly clock?: Clock } = {},
) {
  const asked: string[] = [];
  const waiting: ((messages: readonly Message[] | Error, hasMore: boolean) => void)[] = [];
  const list = (channelId: string, signal: AbortSignal): Promise<MessagePage> =>
    new Promise((resolve, reject) => {
      asked.push(channelId);
      const abort = () => reject(signal.reason);
      if (heedsSignal) signal.addEventListener('abort', abort);
      waiting.push((answer, hasMore) => {
        signal.removeEventListener('abort', abort);
        if (answer instanceof Error) reject(answer);
        else {
          const last = answer.at(-1)?.id;
          const oldestId = last === undefined ? null : uuidOf(last);
          resolve({ messages: answer, hasMore, oldestId });
        }
      });
    });
  const test = connectGateway({
    ...(clock && { clock }),
    backfill: {
      channels: channels ?? undefined,
      rest: {
        messages: {
          history: (channelId, options) =>
            readHistory({ list: (id) => list(id, options.signal) }, channelId, options),
        },
      },
    },
  });
  makeReady(test);
  return {
    ...test,
    asked,
    /** Answers the oldest question: newest message first. */
    async answer(messages: readonly Message[] | Error, { hasMore = false } = {}) {
      waiting.shift()?.(messages, hasMore);
      await test.clock.advance(0);
    },
    /** Loses the connection, and gets another one. */
    async loseConnection() {
      test.sockets.last.hangUp(1006);
      const last = test.statuses.at(-1);
      await test.clock.advance(last?.state === 'reconnecting' ? last.delayMs : 0);
      makeReady(test);
    },
  };
}

/** The id of a message that tests call by a short name. */
function uuidOf(name: string): string {
  const digits = Buffer.from(name).toString('hex').padStart(12, '0').slice(-12);
  return `f06b2e94-7d51-8a3c-9740-${digits}`;
}
