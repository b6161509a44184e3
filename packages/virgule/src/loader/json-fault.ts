import { errorText } from '@virgule/core/errors';
import { transformSync } from 'esbuild';
import { faultOf, type EsbuildFault } from './esbuild-fault.js';

type JsonFault = Required<EsbuildFault>;

/** Texts in quotes, so that nothing inside them counts; comments; commas before a closing bracket. */
const JSONC = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=\s*[}\]])/g;

/** Returns why a text is not JSON with comments and trailing commas, as a tsconfig is; `null` if it is. */
export function jsonFault(text: string): JsonFault | null {
  const blank = (found: string): string => found.replace(/[^\n]/g, ' ');
  const withoutComments = text
    .replace(/^\uFEFF/, ' ')
    .replace(JSONC, (found) => (/^["]/.test(found) ? found : found === ',' ? ',' : blank(found)));
  // Only now: a comment may be between the comma and the bracket.
  const json = withoutComments.replace(JSONC, (found) => (found === ',' ? ' ' : found));
  try {
    JSON.parse(json);
    return null;
  } catch (error) {
    return locateFault(json, errorText(error));
  }
}

/** Locates a fault of JSON. V8 reports a place for some faults only, esbuild for all of them. */
export function locateFault(json: string, message: string): JsonFault {
  try {
    transformSync(json, { loader: 'json', logLevel: 'silent' });
  } catch (error) {
    const { reason = message, line = 1, column = 1 } = faultOf(error) ?? {};
    return { reason, line, column };
  }
  return { reason: message, line: 1, column: 1 };
}
