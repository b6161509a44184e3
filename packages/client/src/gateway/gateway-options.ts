import { createStateFile } from '@virgule/core/fs';
import { isLoopbackUrl } from '@virgule/core/net';
import type { Intent } from '@virgule/core/protocol';
import { WebSocket } from 'ws';
import { warnUnencrypted } from '../address/address.js';
import { resolveClientOptions, type ClientOptions } from '../options/client-options.js';
import { checkNumbers } from '../rest/check-input.js';
import type { GatewayBackfill } from './backfill.js';
import {
  createIdentifyLimiter,
  createIdentifyTimes,
  type IdentifyBudget,
  type IdentifyTimes,
} from './identify-limiter.js';
import { resolveGatewayAddress, type GatewaySocketConstructor } from './socket-port.js';

/** How long each step of a connection may take, in milliseconds. */
export interface GatewayDeadlines {
  /** From opening the socket to its upgrade. @defaultValue 10_000 */
  readonly connectMs: number;
  /** From the upgrade to HELLO. @defaultValue 10_000 */
  readonly helloMs: number;
  /** From IDENTIFY to READY. @defaultValue 15_000 */
  readonly readyMs: number;
}

/** Whether a token is valid; `unknown` when that could not be checked. */
export type TokenState = 'valid' | 'refused' | 'unknown';

/** Options of `createGateway`. */
export interface GatewayOptions extends ClientOptions {
  /** `ws(s)://host[:port][/prefix]`, with or without `/gateway/bot`. */
  readonly gatewayUrl: string;
  /** Narrows delivery to these. @defaultValue everything is delivered */
  readonly intents?: readonly Intent[] | undefined;
  /** Opens the sockets. @defaultValue `WebSocket` of the package ws */
  readonly WebSocket?: GatewaySocketConstructor | undefined;
  readonly deadlines?: Partial<GatewayDeadlines> | undefined;
  /**
   * Asked when the gateway turns the bot away in a way that may be about the token: an upgrade
   * answered 401 or 403, a close with 1008 or 4xxx before READY. `refused` is final. Without it an
   * upgrade answered 401 and the close codes 4001 and 4004 are final (assumed), all else is tried again.
   */
  readonly checkToken?: (() => Promise<TokenState>) | undefined;
  /**
   * How often the bot identifies. It is not applied when the gateway is on this machine.
   *
   * @defaultValue 5 times a minute, 5,000 times a day
   */
  readonly identifyBudget?: Partial<IdentifyBudget> | undefined;
  /**
   * A file that remembers when the bot identified, so that the budget holds across restarts. A disk that
   * cannot be read or written is reported once in the log. Not used when the gateway is on this machine.
   *
   * @defaultValue remembered in memory only
   */
  readonly stateFile?: string | undefined;
  /** Remembers the same elsewhere, for processes on several machines. @defaultValue `stateFile` */
  readonly identifies?: IdentifyTimes | undefined;
  /** Reads messages back that were missed while no connection was up. @defaultValue nothing is read back */
  readonly backfill?: GatewayBackfill | undefined;
  /** How many events wait at most for a listener that is `busy`. @defaultValue 10_000 */
  readonly maxWaitingEvents?: number | undefined;
  /** Closes the gateway when it is aborted; `connect()` rejects then if it still waits. */
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
  const { perMinute = profile.identifies.perMinute, perDay = profile.identifies.perDay } =
    options.identifyBudget ?? {};
  // One by one: a property can be there and be undefined.
  const { connectMs = 10_000, helloMs = 10_000, readyMs = 15_000 } = options.deadlines ?? {};
  checkNumbers('createGateway', {
    maxWaitingEvents,
    'identifyBudget.perMinute': perMinute,
    'identifyBudget.perDay': perDay,
    'deadlines.connectMs': connectMs,
    'deadlines.helloMs': helloMs,
    'deadlines.readyMs': readyMs,
  });
  // A platform on this machine needs no protection.
  const isLocal = isLoopbackUrl(origin);
  const budget = isLocal ? { perMinute: 0, perDay: 0 } : { perMinute, perDay };
  const file =
    isLocal || stateFile === undefined
      ? undefined
      : createStateFile({ path: stateFile, of: 'the gateway', log });
  return {
    ...options,
    ...common,
    address,
    WebSocket: options.WebSocket ?? WebSocket,
    deadlines: { connectMs, helloMs, readyMs },
    identifies: createIdentifyLimiter(
      budget,
      clock,
      options.identifies ?? createIdentifyTimes(file),
    ),
    backfill: options.intents?.includes('SERVER_MESSAGES') === false ? undefined : options.backfill,
    maxWaitingEvents,
  };
}
