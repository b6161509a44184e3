import { systemClock, systemRandom, type Clock } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import { GATEWAY_PATH, resolveProfile, type Intent, type Profile } from '@virgule/core/protocol';
import { WebSocket } from 'ws';
import { resolveAddress } from '../address/resolve-address.js';
import { cleanToken } from '../token/bot-token.js';
import type { GatewaySocketConstructor } from './socket-port.js';

/** How long each step of a connection may take, in milliseconds. */
export interface GatewayDeadlines {
  /** From opening the socket to its upgrade. @defaultValue 10_000 */
  readonly connectMs: number;
  /** From the upgrade to HELLO. @defaultValue 10_000 */
  readonly helloMs: number;
  /** From IDENTIFY to READY. @defaultValue 15_000 */
  readonly readyMs: number;
}

/** Whether a token is valid; `unknown` when nobody could tell. */
export type TokenState = 'valid' | 'refused' | 'unknown';

export interface GatewayOptions {
  /** The bot token. Blanks around it and the word `Bot` in front are taken off. */
  readonly token: string;
  /** `ws(s)://host[:port][/prefix]`, without `/gateway/bot`. */
  readonly gatewayUrl: string;
  /** Narrows delivery to these. @defaultValue everything is delivered */
  readonly intents?: readonly Intent[] | undefined;
  /** @defaultValue the clock of this machine */
  readonly clock?: Clock | undefined;
  /** A number from 0 up to 1, for jitter. @defaultValue chance of this machine */
  readonly random?: (() => number) | undefined;
  /** Opens the sockets. @defaultValue `WebSocket` of the package ws */
  readonly WebSocket?: GatewaySocketConstructor | undefined;
  /** What is assumed where the Bot Interface is silent. @defaultValue `DEFAULT_PROFILE` */
  readonly profile?: Partial<Profile> | undefined;
  /** Told of lost connections, odd frames and odd intervals. @defaultValue nobody */
  readonly log?: Log | undefined;
  readonly deadlines?: Partial<GatewayDeadlines> | undefined;
  /**
   * Asked when the gateway turns the bot away in a way that may be about the token: an upgrade
   * answered 401 or 403, a close with 1008 or 4xxx before READY. `refused` is final. Without it an
   * upgrade answered 401 and the close codes 4001 and 4004 are final (assumed), all else is tried again.
   */
  readonly checkToken?: (() => Promise<TokenState>) | undefined;
}

const DEFAULT_DEADLINES = {
  connectMs: 10_000,
  helloMs: 10_000,
  readyMs: 15_000,
} satisfies GatewayDeadlines;

export interface ResolvedGatewayOptions {
  readonly token: string;
  /** Complete, with the path of the gateway. */
  readonly url: string;
  readonly intents: readonly Intent[] | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly WebSocket: GatewaySocketConstructor;
  readonly profile: Profile;
  readonly log: Log;
  readonly deadlines: GatewayDeadlines;
  readonly checkToken: (() => Promise<TokenState>) | undefined;
}

export function resolveGatewayOptions(options: GatewayOptions): ResolvedGatewayOptions {
  const { origin, prefix } = resolveAddress('gatewayUrl', options.gatewayUrl, ['ws:', 'wss:']);
  const log = options.log ?? silentLog;
  return {
    token: cleanToken(options.token, log),
    url: `${origin}${prefix}${GATEWAY_PATH}`,
    intents: options.intents,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    WebSocket: options.WebSocket ?? WebSocket,
    profile: resolveProfile(options.profile),
    log,
    deadlines: { ...DEFAULT_DEADLINES, ...options.deadlines },
    checkToken: options.checkToken,
  };
}
