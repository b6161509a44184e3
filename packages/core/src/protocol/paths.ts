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
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined || value === '') {
      throw new TypeError(`${endpoint.name} needs ${name}.`);
    }
    if (UNENCODABLE.test(value)) {
      throw new TypeError(`${endpoint.name} cannot take ${JSON.stringify(value)} as ${name}.`);
    }
    return encodeURIComponent(value);
  });
  return API_PREFIX[endpoint.api] + path;
}
