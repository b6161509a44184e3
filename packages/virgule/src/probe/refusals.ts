import { isDeepStrictEqual } from 'node:util';
import { isApiRefused } from '@virgule/client/rest';
import type { Lab, Refusal } from './lab.js';

export type Call = () => Promise<unknown>;

export const isAccepted = ({ status }: Refusal): boolean => status === 200;
export const isInvalid = ({ code }: Refusal): boolean => code === 'bot_validation_error';

/** Statuses that the interface defines: for an invalid token, a missing permission and a rate limit. */
const DEFINED = new Set([401, 403, 429]);

/** Resolves with the refusal of a call. Rejects if the platform failed, which shows nothing about the call. */
export const refusalOf = (call: Promise<unknown>): Promise<Refusal> =>
  call.then(
    () => ({ status: 200, code: '' }),
    (error: unknown) => {
      if (!isApiRefused(error)) throw error;
      const { status, apiCode: code } = error.details;
      if (status >= 500 || status === 408) throw error;
      return { status, code };
    },
  );

export const twice = async (call: Call) => [await refusalOf(call()), await refusalOf(call())];

/**
 * Keeps the refusals that came twice and for nothing else. A bot takes the code of one alone, or the status of a second
 * answer without a code: it would mistake other errors for the state of an interaction, and hide them. So a code with the
 * status of other errors is not kept either: the probe does not meet all errors.
 */
export function keepRefusals(lab: Lab): void {
  const invalid = lab.facts['refusals.validationStatus']?.['value'];
  for (const [name, [value, again]] of Object.entries(lab.refusals)) {
    if (!name || !value) continue;
    const { status, code } = value;
    const isSame = (other: Refusal): boolean =>
      code ? other.code === code : name === 'alreadyAnswered' && isDeepStrictEqual(other, value);
    const others = Object.values({ ...lab.refusals, [name]: [] }).flat();
    const isOther = DEFINED.has(status) || (name === 'interactionGone' && status === invalid);
    let problem: unknown;
    if (others.some(isSame) || (code && isOther)) problem = `${code || status} of other errors`;
    if (!isDeepStrictEqual(value, again)) problem = 'contradictory';
    if (name === 'interactionGone' && isAccepted(value)) problem = 'accepted';
    const fact = `refusals.${name}`;
    delete lab.found[fact];
    lab.keep(fact, problem ?? value, ['came twice', `${status} ${code}`]);
  }
}
