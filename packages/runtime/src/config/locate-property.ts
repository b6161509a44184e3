import type { SourceLocation } from '@virgule/core/errors';
import { keyPattern, locate, type SourceFile } from '../options/locate-key.js';

/**
 * Locates a property of a file's default export, such as `['profile', 'pageMax']`. Falls back to the
 * property around it, or to the file alone, for one that is written elsewhere.
 */
export function locateProperty(place: SourceFile, path: readonly PropertyKey[]): SourceLocation {
  return locate(place, (code) => {
    let found = -1;
    let from = Math.max(0, code.search(/\bdefineConfig\s*\(|\bexport\s+default\b/));
    for (const key of path) {
      const pattern = keyPattern(String(key), String.raw`\s*[:,}(]`);
      pattern.lastIndex = from;
      // The value of the property around it may be a constant above it.
      const match = pattern.exec(code) ?? (found < 0 ? null : pattern.exec(code));
      if (!match) break;
      found = match.index;
      from = found + match[0].length;
    }
    return found;
  });
}
