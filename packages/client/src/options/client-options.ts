import { systemClock, systemRandom, type Clock } from '@virgule/core/clock';
import { warningLog, type Log } from '@virgule/core/log';
import { resolveProfile, type ProfileSettings } from '@virgule/core/protocol';
import type { ProxyOptions } from '../request/proxy.js';
import { cleanToken } from '../request/token.js';

/** What `createRest` and `createGateway` both take. */
export interface ClientOptions extends ProxyOptions {
  /** The bot token. Blanks around it and the word `Bot` in front are removed, and that is logged. */
  readonly token: string;
  /** @defaultValue the clock of this machine */
  readonly clock?: Clock | undefined;
  /** A number from 0 up to 1, for jitter. @defaultValue chance of this machine */
  readonly random?: (() => number) | undefined;
  /**
   * Receives rate limits, repeated requests, lost connections, and responses and frames that are unexpected.
   * @defaultValue warnings and errors become warnings of the process, on standard error
   */
  readonly log?: Log | undefined;
  /** What is assumed where the Bot Interface is silent. @defaultValue `DEFAULT_PROFILE` */
  readonly profile?: ProfileSettings | undefined;
}

/** Returns the options with their defaults. */
export function resolveClientOptions({ log = warningLog, ...options }: ClientOptions) {
  return {
    token: cleanToken(options.token, log),
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    log,
    profile: resolveProfile(options.profile),
  };
}
