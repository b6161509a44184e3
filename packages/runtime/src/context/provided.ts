import type { EnvValues, Services } from '../define/register.js';

/** What a bot gives to each of its handlers, beside what they are about. */
export interface Provided {
  /** What `services.ts` made. */
  readonly services: Services;
  readonly env: EnvValues;
}

/** What a bot without services and without a declared environment gives. */
export const NOTHING_PROVIDED: Provided = { services: {}, env: {} };
