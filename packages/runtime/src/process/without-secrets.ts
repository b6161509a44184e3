const CENSOR = '[redacted]';
const SECRETS: ReadonlySet<string> = new Set(['token', 'streamKey']);
const INNER_SECRETS: ReadonlySet<string> = new Set([...SECRETS, 'authorization']);

/**
 * The details of a log line without what keys such as `token` hold, also one level down. A line that has
 * none of them, as nearly all, is given back as it is.
 */
export function withoutSecrets(details: Record<string, unknown>): Record<string, unknown> {
  let clean = details;
  for (const key of Object.keys(details)) {
    const value = details[key];
    const safe = SECRETS.has(key) ? CENSOR : isPlainObject(value) ? censor(value) : value;
    if (safe === value) continue;
    if (clean === details) clean = { ...details };
    clean[key] = safe;
  }
  return clean;
}

function censor(inner: Record<string, unknown>): Record<string, unknown> {
  const found = Object.keys(inner).filter((key) => INNER_SECRETS.has(key));
  return found.length === 0
    ? inner
    : { ...inner, ...Object.fromEntries(found.map((key) => [key, CENSOR])) };
}

/** Errors and the like are written by rules of their own. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
