import type * as z from 'zod';
import type { ExpectedValue } from '../errors/error-guards.js';

export type Bounds = ExpectedValue['bounds'];

/** Bounds of a schema while its checks are read. Adding checks in zod narrows a range. */
type Narrowing = { -readonly [Bound in keyof Bounds]: Bounds[Bound] };

/** Returns the bounds that checks set, without the bounds that a type implies. @param of - What a length counts. */
export function boundsOf(checks: readonly z.core.$ZodCheck[] = [], of: 'Length' | 'Items'): Bounds {
  const bounds: Narrowing = {};
  const least = (name: keyof Bounds, value: number): void =>
    void (bounds[name] = Math.max(bounds[name] ?? -Infinity, value));
  const most = (name: keyof Bounds, value: number): void =>
    void (bounds[name] = Math.min(bounds[name] ?? Infinity, value));
  for (const check of checks) {
    const { def } = (check as z.core.$ZodChecks)._zod;
    // Other checks set no bound.
    if (def.check === 'greater_than')
      least(def.inclusive ? 'minimum' : 'exclusiveMinimum', Number(def.value));
    else if (def.check === 'less_than')
      most(def.inclusive ? 'maximum' : 'exclusiveMaximum', Number(def.value));
    else if (def.check === 'multiple_of') bounds.multipleOf ??= Math.abs(Number(def.value));
    else if (def.check === 'min_length') least(`min${of}`, def.minimum);
    else if (def.check === 'max_length') most(`max${of}`, def.maximum);
    else if (def.check === 'length_equals') {
      least(`min${of}`, def.length);
      most(`max${of}`, def.length);
    }
  }
  const { minimum = -Infinity, exclusiveMinimum = -Infinity } = bounds;
  const { maximum = Infinity, exclusiveMaximum = Infinity } = bounds;
  delete bounds[exclusiveMinimum >= minimum ? 'minimum' : 'exclusiveMinimum'];
  delete bounds[exclusiveMaximum <= maximum ? 'maximum' : 'exclusiveMaximum'];
  return bounds;
}
