import { readFileSync, readdirSync } from 'node:fs';
import { isRecord } from '../src/objects.js';

const folder = new URL('./fixtures/', import.meta.url);

/** Returns a new copy of a fixture, by its file name without `.json`. */
export function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
}

/** Returns a fixture that is an object, which a test may change. */
export function readFixtureObject(name: string): Record<string, unknown> {
  const fixture = readFixture(name);
  if (!isRecord(fixture)) throw new TypeError(`The fixture ${name} is not an object.`);
  return fixture;
}

/** Returns the payload of a fixture that is a gateway frame. */
export function readFramePayload(name: string): Record<string, unknown> {
  const { d } = readFixtureObject(name);
  if (!isRecord(d)) throw new TypeError(`The frame ${name} has no payload.`);
  return d;
}

/** Returns the names of all fixtures. */
export function fixtureNames(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted();
}
