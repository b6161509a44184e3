import { isDeepStrictEqual } from 'node:util';
import { isApiRefused } from '@virgule/client/rest';
import { isVirguleError } from '@virgule/core/errors';
import { keyOf, saveJournal, shownCode } from './journal.js';
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

const OPEN: readonly string[] = ['E_OUTCOME_UNKNOWN', 'E_BAD_RESPONSE', 'E_API_REFUSED'];
/** Returns whether a message may exist after an error: calls that were limited or interrupted before did not write it. */
const mayHaveWritten = (error: unknown): boolean =>
  isVirguleError(error) && (OPEN.includes(error.code) || error.details['maybeSent'] === true);

/**
 * Writes a message, which is in the journal before, and stays there if the call has no answer: the message may exist.
 *
 * @param isSure - whether an accepted call writes a message in any case. @defaultValue `true`
 */
export async function write<Body extends { readonly content: string }, Result>(
  lab: Lab,
  body: Body,
  call: (body: Body) => Promise<Result>,
  isSure = true,
): Promise<Result> {
  const { messages } = lab.journal;
  const key = keyOf(body.content);
  lab.check();
  lab.written = key;
  messages[key] ??= [];
  const forget = (): void => void (messages[key]?.length || delete messages[key]);
  try {
    saveJournal(lab);
  } catch (error) {
    forget();
    throw error;
  }
  const written = call(body);
  const refusal = await refusalOf(written).catch((error: unknown) => {
    if (mayHaveWritten(error)) throw error;
  });
  if (refusal && isAccepted(refusal) && isSure) return written;
  forget();
  saveJournal(lab);
  return written;
}

export const twice = async (call: Call) => [await refusalOf(call()), await refusalOf(call())];

/**
 * Keeps the refusals that came twice, and that no other error can have: a bot would mistake that error for the state of an
 * interaction, and hide it. A bot does not use a refusal without a code, unless it is that of a second answer.
 */
export function keepRefusals(lab: Lab): void {
  const common = new Set([...DEFINED, lab.facts['refusals.validationStatus']?.['value']]);
  for (const [name, [value, again]] of Object.entries(lab.refusals)) {
    if (!name || !value) continue;
    const isUsed = value.code !== '' || name === 'alreadyAnswered';
    const others = Object.values({ ...lab.refusals, [name]: [] }).flat();
    const isSame = (other: Refusal): boolean => isDeepStrictEqual(other, value);
    const code = value.code && shownCode(value.code);
    const shown = `${value.status} ${code}`.trim();
    let problem: unknown = code === value.code ? undefined : `${shown}, a code that may be content`;
    if (isUsed && (common.has(value.status) || others.some(isSame)))
      problem = `${shown} of other errors`;
    if (!isDeepStrictEqual(value, again)) problem = 'contradictory';
    if (name === 'interactionGone' && isAccepted(value)) problem = 'accepted';
    // Refusals of later steps count, too.
    delete lab.found[`refusals.${name}`];
    lab.keep(`refusals.${name}`, problem ?? value, ['came twice', shown]);
  }
}
