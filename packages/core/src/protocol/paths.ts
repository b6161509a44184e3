import { API_PREFIX, type Endpoint } from './endpoint.js';

/** A URL takes `.` and `..` as steps even when they are percent-encoded; a lone surrogate has no encoding. */
const UNENCODABLE = /^\.{1,2}$|\p{Surrogate}/u;

/**
 * Fills the `{parameters}` of an endpoint's path and puts the API's prefix before it. Each value is
 * percent-encoded, so that no value can leave its segment.
 *
 * @throws TypeError when a parameter has no value, or one that no encoding keeps in its segment.
 */
export function endpointPath(
  endpoint: Endpoint,
  parameters: Readonly<Record<string, string>> = {},
): string {
  let parts = split.get(endpoint.path);
  if (!parts) {
    // Texts at the even places, names of parameters at the odd ones.
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

/** Paths in parts; split once, since every request asks. */
const split = new Map<string, readonly string[]>();

/** Nothing in it needs an encoding: ids, mostly. */
const PLAIN = /^[\w-]+$/;

function segment(endpoint: Endpoint, name: string, value: string | undefined): string {
  if (value === undefined || value === '') {
    throw new TypeError(`${endpoint.name} needs ${name}.`);
  }
  if (PLAIN.test(value)) return value;
  if (UNENCODABLE.test(value)) {
    throw new TypeError(`${endpoint.name} cannot take ${JSON.stringify(value)} as ${name}.`);
  }
  return encodeURIComponent(value);
}
