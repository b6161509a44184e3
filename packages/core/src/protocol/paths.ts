import { API_PREFIX, type Endpoint } from './endpoints.js';

/** Values without a safe encoding: URLs resolve `.` and `..` even if encoded, and a lone surrogate has none. */
const UNENCODABLE = /^\.{1,2}$|\p{Surrogate}/u;

/**
 * Returns the path of an endpoint with its prefix and its parameters, percent-encoded so that none leaves its segment.
 *
 * @throws TypeError when a parameter is missing, empty, or cannot be encoded: `.`, `..`, lone surrogates.
 */
export function endpointPath(
  endpoint: Endpoint,
  parameters: Readonly<Record<string, string>> = {},
): string {
  let parts = split.get(endpoint.path);
  if (!parts) {
    // Literal parts at even indexes, names of parameters at odd ones.
    parts = endpoint.path.split(/\{(\w+)\}/);
    split.set(endpoint.path, parts);
  }
  let path = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 2) {
    const name = parts[index] ?? '';
    path += segment(endpoint, name, parameters[name]) + (parts[index + 1] ?? '');
  }
  return API_PREFIX[endpoint.api] + path;
}

/** Cache of split paths, which every request needs. */
const split = new Map<string, readonly string[]>();

/** Values that need no encoding, such as ids. */
const PLAIN = /^[\w-]+$/;

function segment(endpoint: Endpoint, name: string, value: string | undefined): string {
  if (value === undefined || value === '')
    throw new TypeError(`${endpoint.name} requires ${name}.`);
  if (PLAIN.test(value)) return value;
  if (UNENCODABLE.test(value))
    throw new TypeError(`${endpoint.name} does not accept ${JSON.stringify(value)} as ${name}.`);
  return encodeURIComponent(value);
}
