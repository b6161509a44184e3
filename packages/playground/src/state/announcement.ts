/** Minimum time between two announcements for screen readers. */
export const ANNOUNCE_EVERY_MS = 1000;

const MAX_SPOKEN = 200;

/** Returns one announcement for several. */
export function summarizeNews(news: readonly string[]): string {
  const last = news.at(-1);
  if (last === undefined) return '';
  const spoken = last.length > MAX_SPOKEN ? `${last.slice(0, MAX_SPOKEN)}…` : last;
  if (news.length <= 2) return [...news.slice(0, -1), spoken].join('. ');
  return `${news.length} new, the last: ${spoken}`;
}
