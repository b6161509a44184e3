import { inspect } from 'node:util';

const STYLES = ['bold', 'dim', 'inverse', 'cyan', 'green', 'red', 'yellow'] as const;

/** Functions that return a text in a style. The styles may be nested. */
export type Colors = Readonly<Record<(typeof STYLES)[number], (text: string) => string>>;

/** @param hasColor - `false` leaves texts unchanged. */
export function createColors(hasColor: boolean): Colors {
  const styled = STYLES.map((style) => {
    const [open, close] = inspect.colors[style] ?? [0, 0];
    const begin = `\u001B[${open}m`;
    const end = `\u001B[${close}m`;
    // An inner style with the same end sequence would end this style as well, so this style begins again after it.
    const apply = (text: string): string => begin + text.replaceAll(end, end + begin) + end;
    return [style, hasColor ? apply : (text: string) => text] as const;
  });
  // The object has one function for each of the styles.
  return Object.fromEntries(styled) as Colors;
}
