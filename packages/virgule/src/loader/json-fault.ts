import { errorText } from '@virgule/core/errors';
import { transformSync } from 'esbuild';
import { faultOf, type EsbuildFault } from './esbuild-fault.js';

/** What is wrong with JSON, and where. */
export type JsonFault = Required<EsbuildFault>;

/** Texts in quotes, so that nothing inside them counts; comments; commas before a closing bracket. */
const JSONC = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=\s*[}\]])/g;

/** Reads JSON with comments and trailing commas, as a tsconfig is; `fault` says why the text is none. */
export function readJsonc(text: string): { readonly value?: unknown; readonly fault?: JsonFault } {
  const blank = (found: string): string => found.replace(/[^\n]/g, ' ');
  const withoutComments = text
    .replace(/^\uFEFF/, ' ')
    .replace(JSONC, (found) => (/^[",]/.test(found) ? found : blank(found)));
  // Only now: a comment may be between the comma and the bracket.
  const json = withoutComments.replace(JSONC, (found) => (found === ',' ? ' ' : found));
  try {
    return { value: JSON.parse(json) };
  } catch (error) {
    return { fault: locateFault(json, errorText(error)) };
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
