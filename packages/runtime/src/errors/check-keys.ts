import { didYouMean } from '@virgule/core/text';
import { runtimeErrors } from './runtime-errors.js';

/**
 * Refuses a misspelled option of a call, which JavaScript may pass, and which would be ignored otherwise.
 *
 * @param call - such as `confirm() in commands/play.ts`.
 * @throws VirguleError `E_UNKNOWN_KEY`.
 */
export function checkKeys(call: string, options: object, known: readonly string[]): void {
  const key = Object.keys(options).find((each) => !known.includes(each));
  if (key === undefined) return;
  const meant = didYouMean(key, known);
  throw runtimeErrors.E_UNKNOWN_KEY({ file: call, key, meant, known });
}
