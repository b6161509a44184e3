export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  /** Bars of Virgule have the color of the theme. */
  readonly isOwn: boolean;
}

const WIDTH = 680;
const LABEL_WIDTH = 260;
const VALUE_WIDTH = 80;
const ROW = 30;
const BAR = 16;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * Draws horizontal bars as SVG. The colors are variables of the theme, so that the chart is readable in both themes; the
 * title and the values are text, for readers of the page without its picture.
 */
export function barChart(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const space = WIDTH - LABEL_WIDTH - VALUE_WIDTH;
  const rows = bars.map(({ label, value, text, isOwn }, index) => {
    const middle = index * ROW + ROW / 2;
    const width = Math.max(1, Math.round((value / most) * space));
    return (
      `<text x="${LABEL_WIDTH - 12}" y="${middle + 5}" text-anchor="end">${escape(label)}</text>` +
      `<rect x="${LABEL_WIDTH}" y="${middle - BAR / 2}" width="${width}" height="${BAR}" rx="3" ` +
      `style="fill: var(${isOwn ? '--vp-c-brand-1' : '--vp-c-text-3'})"/>` +
      `<text x="${LABEL_WIDTH + width + 8}" y="${middle + 5}">${escape(text)}</text>`
    );
  });
  return (
    `<figure class="chart"><figcaption>${escape(title)}</figcaption>` +
    `<svg role="img" aria-label="${escape(title)}" viewBox="0 0 ${WIDTH} ${bars.length * ROW}">` +
    `${rows.join('')}</svg></figure>`
  );
}
