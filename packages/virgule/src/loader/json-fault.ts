import { errorText } from '@virgule/core/errors';
import { transformSync, type TransformFailure } from 'esbuild';

/** What is wrong with a text that should be JSON. */
export interface JsonFault {
  readonly reason: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

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
    return located(json, errorText(error));
  }
}

/** Locates a fault. V8 reports a place for some faults only, esbuild for all of them. */
function located(json: string, message: string): JsonFault {
  try {
    transformSync(json, { loader: 'json', logLevel: 'silent' });
  } catch (error) {
    const [first] = (error as Partial<TransformFailure>).errors ?? [];
    if (first?.location) {
      const { line, column, lineText } = first.location;
      // esbuild counts columns in bytes from 0.
      const before = Buffer.from(lineText).subarray(0, column).toString();
      return { reason: first.text, line, column: before.length + 1 };
    }
  }
  return { reason: message, line: 1, column: 1 };
}
