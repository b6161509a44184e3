import { readFileSync } from 'node:fs';

const folder = new URL('../../core/test/fixtures/', import.meta.url);

/** A body or frame copied from the platform document, by its file name without `.json`. */
export function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
}
