import { createStateFile } from '@virgule/core/fs';
import { isLoopbackUrl } from '@virgule/core/net';
import type { Intent } from '@virgule/core/protocol';
import { warnUnencrypted } from '../address/address.js';
import { resolveClientOptions, type ClientOptions } from '../options/client-options.js';
import { checkNumbers } from '../rest/check-input.js';
import type { GatewayBackfill, MessageHistory } from './backfill.js';
import {
  createIdentifyLimiter,
  createIdentifyTimes,
  type IdentifyTimes,
} from './identify-limiter.js';
import { resolveGatewayAddress, type GatewaySocketConstructor } from './socket-port.js';

/** Validity of a token; `unknown` if the check failed. */
export type TokenState = 'valid' | 'refused' | 'unknown';

/** Options of `createGateway`. */
export interface GatewayOptions extends ClientOptions {
  /** Address of the gateway: `ws(s)://host[:port][/prefix]`, with or without `/gateway/bot`. */
  readonly gatewayUrl: string;
  /** Intents of the events to receive. @defaultValue all events are received */
  readonly intents?: readonly Intent[] | undefined;
  /** Class of the sockets. @defaultValue `WebSocket` of the package ws */
  readonly WebSocket?: GatewaySocketConstructor | undefined;
  /**
   * Checks the token after a refusal that may be about it: an upgrade answered 401 or 403, or a close with 1008 or 4xxx before
   * READY; `refused` is final. Without this function, a 401 and the codes 4001 and 4004 are final (assumed).
   */
  readonly checkToken?: (() => Promise<TokenState>) | undefined;
  /**
   * Path of a file with the times when the bot identified, for the next run, except for a gateway on this machine. A disk that
   * fails is logged once. @defaultValue the times are kept in memory only
   */
  readonly stateFile?: string | undefined;
  /** Store of the same times for processes on several machines. @defaultValue `stateFile` */
  readonly identifies?: IdentifyTimes | undefined;
  /** Reads messages back that were missed during a gap. @defaultValue nothing is read back */
  readonly backfill?: GatewayBackfill | undefined;
  /**
   * REST client to detect a connection that is READY and receives no events: after 5 minutes without an event it reads the
   * newest message of the channel with the latest message. If a user has written it more than a minute after the last event,
   * the connection is replaced. @defaultValue not detected
   */
  readonly silenceCheck?: MessageHistory | undefined;
  /** Maximum number of events that wait for a listener that is `busy`. @defaultValue 10_000 */
  readonly maxWaitingEvents?: number | undefined;
  /** Signal whose abort closes the gateway. A pending `connect()` then rejects. */
  readonly signal?: AbortSignal | undefined;
}

export type ResolvedGatewayOptions = ReturnType<typeof resolveGatewayOptions>;

/** Returns the options with their defaults. */
export function resolveGatewayOptions(options: GatewayOptions) {
  const { stateFile, maxWaitingEvents = 10_000 } = options;
  const common = resolveClientOptions(options);
  const { log, clock, profile } = common;
  const address = resolveGatewayAddress(options.gatewayUrl, options.proxy);
  const { origin } = address;
  warnUnencrypted('gatewayUrl', origin, log);
  const { perMinute, perDay } = profile.identifies;
  checkNumbers('createGateway', {
    maxWaitingEvents,
    'profile.identifies.perMinute': perMinute,
    'profile.identifies.perDay': perDay,
  });
  const getsMessages = options.intents?.includes('SERVER_MESSAGES') !== false;
  // A platform on this machine, such as the simulator, needs no protection.
  const isLocal = isLoopbackUrl(origin);
  const budget = isLocal ? { perMinute: 0, perDay: 0 } : profile.identifies;
  const file =
    isLocal || stateFile === undefined
      ? undefined
      : createStateFile({ path: stateFile, of: 'the gateway', log });
  const times = options.identifies ?? createIdentifyTimes(file);
  return {
    ...options,
    ...common,
    address,
    WebSocket: options.WebSocket,
    identifies: createIdentifyLimiter(budget, clock, times),
    backfill: getsMessages ? options.backfill : undefined,
    silenceCheck: getsMessages ? options.silenceCheck : undefined,
    maxWaitingEvents,
  };
}
