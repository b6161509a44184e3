import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { Redis, ReplyError } from 'ioredis';

/** A reply of Redis: strings, integers, nil, and lists of these. */
export type Reply = string | number | null | readonly Reply[];

/** Returns a reply that is a list; an empty one for any other. */
export const asList = (reply: Reply | undefined): readonly Reply[] =>
  Array.isArray(reply) ? reply : [];

/** Returns a value of a reply that lists names and values; `undefined` if it has no such name. */
export const valueOf = (reply: readonly Reply[], name: string): Reply | undefined =>
  reply.includes(name) ? reply[reply.indexOf(name) + 1] : undefined;

/** One connection to Redis. A command that was in flight when it broke rejects; it is never sent again by itself. */
export interface Connection {
  /** Sends one command. Rejects at once while there is no connection, and if Redis is silent for 3 s. */
  call(command: string, ...args: readonly (string | number)[]): Promise<Reply>;
  /** Runs a script, which Redis caches by its hash. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<Reply>;
  /** Receives the messages of a channel, whenever it is connected. It can do nothing else then. */
  subscribe(channel: string, onMessage: (text: string) => void): void;
  isConnected(): boolean;
  /** Resolves when it is connected. Rejects with why it is not: the last error, or that it was closed. */
  ready(signal?: AbortSignal): Promise<void>;
  /** Whether Redis has accepted the connection, and is not ready yet: it loads its data. */
  isLoading(): boolean;
  /** Resolves when it is connected the next time. */
  back(): Promise<void>;
  /** Disconnects permanently. Commands in flight are rejected. */
  close(): void;
}

/** A Lua script and its SHA-1, as Redis names it. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

export const script = (text: string): Script => ({
  text,
  sha: createHash('sha1').update(text).digest('hex'),
});

export interface ConnectionOptions {
  /** `redis://[[user]:password@]host[:port][/database]`, or `rediss://` with TLS. */
  readonly url: string;
  readonly log: Log;
  /** What it is for, in the log and in CLIENT LIST. */
  readonly purpose: string;
  /** Whether it only receives messages, so that silence is no sign of a loss. @defaultValue `false` */
  readonly isSubscriber?: boolean | undefined;
}

/** A Redis that is silent for longer is treated as gone, also by a blocking read, which takes 0.5 s. */
const SILENCE_MS = 3_000;
const CONNECT_TIMEOUT_MS = 3_000;
const KEEP_ALIVE_MS = 10_000;
/** Longest time between two attempts: a lease has to be renewed soon after Redis is back. */
const MAX_RETRY_MS = 250;

const NO_CONNECTION = 'no connection to Redis';

/** Returns whether a command failed with its connection, and not at Redis. */
export const isDisconnected = (error: unknown): boolean =>
  errorText(error).startsWith(NO_CONNECTION);

/** Returns an error of Redis; that of one that may use no more memory in words, as the log shows it. */
const inWords = (error: unknown): unknown =>
  errorText(error).startsWith('OOM')
    ? new Error(`Redis is full: raise its maxmemory (${errorText(error)})`, { cause: error })
    : error;

/** Opens a connection, and opens it again whenever it is lost. */
export function connect({
  url,
  log,
  purpose,
  isSubscriber = false,
}: ConnectionOptions): Connection {
  const redis = new Redis(url, {
    protocol: 2,
    connectionName: `virgule:${purpose}`,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(isSubscriber ? { keepAlive: KEEP_ALIVE_MS } : { socketTimeout: SILENCE_MS }),
    autoResubscribe: false,
    // Whether a command that was in flight took effect is known to its caller only.
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // It says how long it will take to load its data, which may be a guess.
    maxLoadingRetryTime: MAX_RETRY_MS,
    // It was the primary when it connected: the address leads to another one now, or soon.
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
  redis.on('error', (error: Error) => {
    lastError = error;
  });
  redis.on('close', () => {
    const wasUp = isUp;
    isUp = false;
    if (!wasUp || closed.signal.aborted) return;
    log.warn(
      { purpose, error: lastError && errorText(lastError) },
      'the connection to Redis is lost',
    );
  });

  const call: Connection['call'] = async (command, ...args) => {
    try {
      // The commands in use return strings, integers, nil and lists.
      return (await redis.call(command, ...args)) as Reply;
    } catch (error) {
      if (error instanceof ReplyError) throw inWords(error);
      // The message of the library is about its options.
      const reason = lastError ? errorText(lastError) : `${command} failed`;
      throw new Error(`${NO_CONNECTION}: ${reason}`, { cause: lastError ?? error });
    }
  };
  return {
    call,
    async run({ text, sha }, keys, args) {
      try {
        return await call('EVALSHA', sha, keys.length, ...keys, ...args);
      } catch (error) {
        // Redis forgets its scripts when it restarts.
        if (!errorText(error).startsWith('NOSCRIPT')) throw error;
        return call('EVAL', text, keys.length, ...keys, ...args);
      }
    },
    subscribe(channel, onMessage) {
      // A failure is that of the connection, which is opened again.
      const subscribe = (): void => void redis.subscribe(channel).catch(() => {});
      redis.on('ready', subscribe);
      if (isUp) subscribe();
      redis.on('message', (_, text: string) => onMessage(text));
    },
    isConnected: () => isUp,
    // One for all that wait: there may be thousands.
    back: () =>
      (back ??= new Promise((resolve) => {
        redis.once('ready', () => {
          back = undefined;
          resolve();
        });
      })),
    async ready(signal = closed.signal) {
      // It rejects with the first error.
      if (!isUp) await once(redis, 'ready', { signal: AbortSignal.any([signal, closed.signal]) });
    },
    isLoading: () => redis.status === 'connect',
    close() {
      // The library would add another listener to the socket.
      if (closed.signal.aborted) return;
      closed.abort();
      redis.disconnect();
    },
  };
}
