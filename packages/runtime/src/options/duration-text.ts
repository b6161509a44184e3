const UNITS_MS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;
type Unit = keyof typeof UNITS_MS;
const UNITS = Object.keys(UNITS_MS) as Unit[];

/**
 * Milliseconds of a length of time as a person writes it: `30s`, `5m`, `1h30m`, `1.5h`. Units go
 * from large to small, each once. `null` when the text is not one.
 */
export function parseDurationText(text: string): number | null {
  const part = /(\d{1,15}(?:\.\d{1,15})?)(ms|d|h|m|s)/iy;
  let total = 0;
  let lastUnit = -1;
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (!match) return null;
    const unit = UNITS.indexOf((match[2] ?? '').toLowerCase() as Unit);
    if (unit <= lastUnit) return null;
    lastUnit = unit;
    total += Number(match[1]) * UNITS_MS[UNITS[unit] ?? 'ms'];
  }
  return text === '' || !Number.isSafeInteger(Math.round(total)) ? null : Math.round(total);
}

/** The shortest text that `parseDurationText` reads as this many milliseconds. */
export function formatDurationText(ms: number): string {
  let left = ms;
  let text = '';
  for (const unit of UNITS) {
    const count = Math.floor(left / UNITS_MS[unit]);
    if (count === 0) continue;
    text += `${count}${unit}`;
    left -= count * UNITS_MS[unit];
  }
  return text === '' ? '0s' : text;
}
