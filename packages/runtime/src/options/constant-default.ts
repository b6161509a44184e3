const MOMENT_FORMATS: ReadonlySet<string> = new Set(['date', 'time', 'datetime']);
const DATE = /^\d{4}-\d\d-\d\d|\d[./]\d{1,2}[./]\d{4}|[A-Z][a-z]{2} (?:\d\d )?\d{4}/;
/** Larger numbers may be a time, in seconds or milliseconds. */
const MOMENT_MIN = 1e9;

/** A default that is one of a few values at random differs in one of so many reads. */
const READS = 32;

/**
 * Returns whether a default is the same whenever it is read, so that it can be part of a description. A
 * date and a time never are: one that a function computes is the same only for a while.
 */
export function isConstant(
  defaults: readonly (() => unknown)[],
  { default: value, format = '' }: { readonly default?: unknown; readonly format?: string },
): boolean {
  if (MOMENT_FORMATS.has(format)) return false;
  if (typeof value === 'string' ? DATE.test(value) : Number(value) >= MOMENT_MIN) return false;
  return defaults.every((read) => {
    const first = JSON.stringify(read());
    return Array.from({ length: READS }, read).every((next) => JSON.stringify(next) === first);
  });
}
