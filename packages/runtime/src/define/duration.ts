const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

type Unit = keyof typeof UNITS_MS;

/** A length of time with its unit: `'250ms'`, `'1.5s'`, `'5m'`, `'2h'`, `'1d'`. */
export type Duration = `${number}${Unit}`;

/** Milliseconds of a duration, or `undefined` when the text is not one. */
export function durationMs(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  return match ? Number(match[1]) * UNITS_MS[match[2] as Unit] : undefined;
}
