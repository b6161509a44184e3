import { systemClock, systemRandom, type Clock } from '@virgule/core/clock';
import { warningLog, type Log } from '@virgule/core/log';
import { factsIn, resolveProfile, type ProfileSettings } from '@virgule/core/protocol';
import type { ProxyOptions } from '../request/proxy.js';
import { cleanToken } from '../request/token.js';

/** Common options of `createRest` and `createGateway`. */
export interface ClientOptions extends ProxyOptions {
  /** Token of the bot. Surrounding white space and a leading `Bot` are removed with a warning in the log. */
  readonly token: string;
  /** @defaultValue the clock of this machine */
  readonly clock?: Clock | undefined;
  /** Returns a number from 0 up to 1, for jitter. @defaultValue `Math.random` */
  readonly random?: (() => number) | undefined;
  /**
   * Receives rate limits, repeated requests, lost connections, and responses and frames that are unexpected.
   * @defaultValue warnings and errors become warnings of the process, on standard error
   */
  readonly log?: Log | undefined;
  /** Assumptions where the Bot Interface states nothing. @defaultValue `DEFAULT_PROFILE` */
  readonly profile?: ProfileSettings | undefined;
  /**
   * Receives the body of each response and event that is read, with the name of its endpoint, error code or event.
   * @defaultValue compares the body with the measured facts of the profile
   */
  readonly onBody?: ((name: string, body: unknown) => unknown) | undefined;
}

/** Returns the options with their defaults. */
export function resolveClientOptions({ log = warningLog, ...options }: ClientOptions) {
  return {
    token: cleanToken(options.token, log),
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    log,
    profile: resolveProfile(options.profile),
    onBody: options.onBody ?? createFactCheck(options.profile, log),
  };
}

/** Returns a function that warns once for each measured fact that a body contradicts; `undefined` without facts. */
function createFactCheck(profile: ProfileSettings | undefined, log: Log) {
  if (!profile || !('measured' in profile)) return undefined;
  const facts: Record<string, unknown> = { ...Object(profile.measured).facts };
  return (name: string, body: unknown): void => {
    for (const [fact, seen] of Object.entries(factsIn(name, body))) {
      const measured: unknown = Object(facts[fact]).value;
      // Most pages are shorter than the longest.
      const isSame = fact === 'pageMax' ? !(Number(seen) > Number(measured)) : seen === measured;
      if (seen === undefined || measured === undefined || isSame) continue;
      delete facts[fact];
      log.warn({ fact, measured, seen }, 'a measured fact is wrong; run virgule probe again');
    }
  };
}
