import { once } from 'node:events';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { Redis, ReplyError } from 'ioredis';

/** A reply of Redis: strings, integers, nil, and lists of these. */
export type Reply = string | number | null | readonly Reply[];

/** Returns a reply that is a list; an empty list for any other reply. */
export const asList = (reply: Reply | undefined): readonly Reply[] =>
  Array.isArray(reply) ? reply : [];

/** Returns the value after a name in a reply of names and values; `undefined` without this name. */
export const valueOf = (reply: readonly Reply[], name: string): Reply | undefined =>
  reply.includes(name) ? reply[reply.indexOf(name) + 1] : undefined;

/** Connection to Redis. A command in flight rejects when the connection breaks, and is not sent again automatically. */
export type Connection = ReturnType<typeof connect>;

export interface ConnectionOptions {
  /** `redis://[[user]:password@]host[:port][/database]`, or `rediss://` with TLS. */
  readonly url: string;
  readonly log: Log;
  /** Name of the connection in the log and in CLIENT LIST. */
  readonly purpose: string;
  /** Set for a connection that only receives messages: silence is then no sign of a loss. @defaultValue `false` */
  readonly isSubscriber?: boolean | undefined;
}

/** Silence after which Redis counts as gone, in milliseconds: longer than a blocking read, which takes 0.5 s. */
const SILENCE_MS = 3_000;
const CONNECT_TIMEOUT_MS = 3_000;
const KEEP_ALIVE_MS = 10_000;
/** Longest time between two attempts: a lease has to be renewed soon after Redis is back. */
const MAX_RETRY_MS = 250;

const NO_CONNECTION = 'no connection to Redis';

/** Returns true for a command that failed with its connection, not with an error of Redis. */
export const isDisconnected = (error: unknown): boolean =>
  errorText(error).startsWith(NO_CONNECTION);

/** Returns an error of Redis for the log, with the fix in its message if Redis is out of memory. */
const inWords = (error: unknown): unknown =>
  errorText(error).startsWith('OOM')
    ? new Error(`Redis is full: raise its maxmemory (${errorText(error)})`, { cause: error })
    : error;

export function connect({ url, log, purpose, isSubscriber = false }: ConnectionOptions) {
  const redis = new Redis(url, {
    protocol: 2,
    connectionName: `virgule:${purpose}`,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(isSubscriber ? { keepAlive: KEEP_ALIVE_MS } : { socketTimeout: SILENCE_MS }),
    autoResubscribe: false,
    // A command in flight may have taken effect: only its caller knows if a repetition is safe.
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // Redis estimates its loading time, and the estimate may be far too long.
    maxLoadingRetryTime: MAX_RETRY_MS,
    // The server is no longer the primary: the address leads to the new primary, now or soon.
    reconnectOnError: ({ message }) => message.includes('READONLY'),
    retryStrategy: (attempt) => Math.min(20 * 2 ** Math.min(attempt, 4), MAX_RETRY_MS),
  });
  let isUp = false;
  let back: Promise<void> | undefined;
  let wasConnected = false;
  let lastError: Error | undefined;
  const closed = new AbortController();
  redis.on('ready', () => {
    isUp = true;
    lastError = undefined;
    if (wasConnected) log.info({ purpose }, 'connected to Redis again');
    wasConnected = true;
  });
  redis.on('error', (error: Error) => void (lastError = error));
  redis.on('close', () => {
    const wasUp = isUp;
    isUp = false;
    if (!wasUp || closed.signal.aborted) return;
    const error = lastError && errorText(lastError);
    log.warn({ purpose, error }, 'the connection to Redis is lost');
  });

  /** Sends one command. Rejects at once while there is no connection, and if Redis is silent for 3 s. */
  const call = async (command: string, ...args: readonly (string | number)[]): Promise<Reply> => {
    try {
      // The commands in use return strings, integers, nil and lists.
      return (await redis.call(command, ...args)) as Reply;
    } catch (error) {
      if (error instanceof ReplyError) throw inWords(error);
      // The library's own message is about its options.
      const reason = lastError ? errorText(lastError) : `${command} failed`;
      throw new Error(`${NO_CONNECTION}: ${reason}`, { cause: lastError ?? error });
    }
  };
  return {
    call,
    /** Runs a Lua script, which Redis compiles once. */
    run: (script: string, keys: readonly string[], args: readonly (string | number)[]) =>
      call('EVAL', script, keys.length, ...keys, ...args),
    /** Receives the messages of a channel while connected. The connection is then unusable for other commands. */
    subscribe(channel: string, onMessage: (text: string) => void): void {
      // A failure means a lost connection; `ready` subscribes again.
      redis.on('ready', () => void redis.subscribe(channel).catch(() => {}));
      redis.on('message', (_, text: string) => onMessage(text));
    },
    isConnected: (): boolean => isUp,
    /** Resolves at the next reconnect. All callers share a single promise: there may be thousands. */
    back: (): Promise<void> =>
      (back ??= new Promise((resolve) => {
        redis.once('ready', () => {
          back = undefined;
          resolve();
        });
      })),
    /** Resolves when connected. Rejects with the first error, or an `AbortError` after `close` or an abort of the signal. */
    async ready(signal: AbortSignal = closed.signal): Promise<void> {
      // `once` rejects with the first error.
      if (!isUp) await once(redis, 'ready', { signal: AbortSignal.any([signal, closed.signal]) });
    },
    /** Returns true after Redis accepted the connection while it still loads its data. */
    isLoading: (): boolean => redis.status === 'connect',
    /** Disconnects permanently. Commands in flight are rejected. */
    close(): void {
      // A second disconnect would add another listener to the socket.
      if (closed.signal.aborted) return;
      closed.abort();
      redis.disconnect();
    },
  };
}
