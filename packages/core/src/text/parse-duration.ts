/** Units of a duration in milliseconds, from large to small. */
export const DURATION_UNITS_MS = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
} as const;

const UNITS = Object.keys(DURATION_UNITS_MS) as readonly (keyof typeof DURATION_UNITS_MS)[];

/** Returns the milliseconds of `30s`, `1.5h` or `1h30m` (units from large to small, each once); else `undefined`. */
export function parseDuration(text: string): number | undefined {
  const part = /(\d{1,15}(?:\.\d{1,15})?)(ms|d|h|m|s)/iy;
  let total = 0;
  let lastUnit = -1;
  while (part.lastIndex < text.length) {
    const [, count, name = ''] = part.exec(text) ?? [];
    const unit = UNITS.findIndex((known) => known === name.toLowerCase());
    if (unit <= lastUnit) return undefined;
    lastUnit = unit;
    total += Number(count) * DURATION_UNITS_MS[UNITS[unit] ?? 'ms'];
  }
  return text === '' ? undefined : Math.round(total);
}
