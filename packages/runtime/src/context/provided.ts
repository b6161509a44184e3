import type { EnvValues, Services } from '../define/register.js';

/** What every handler of a bot receives. */
export interface Provided {
  /** The object that `services.ts` returned. */
  readonly services: Services;
  readonly env: EnvValues;
}

/** For a bot without services and without a declared environment. */
export const NOTHING_PROVIDED: Provided = { services: {}, env: {} };
