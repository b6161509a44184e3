/** Returns a duration in at most two units: `12.5 ms`, `1.5 s`, `14 min 41 s`, `17 h 27 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Number(ms.toFixed(1))} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const counts = {
    d: seconds / 86_400,
    h: (seconds / 3_600) % 24,
    min: (seconds / 60) % 60,
    s: seconds % 60,
  };
  return Object.entries(counts)
    .map(([unit, count]) => `${Math.floor(count)} ${unit}`)
    .filter((part) => !part.startsWith('0 '))
    .slice(0, 2)
    .join(' ');
}

/** Returns the time until a moment in whole seconds, rounded up, at least one second. */
export const formatWait = (ms: number): string =>
  formatDuration(Math.max(1, Math.ceil(ms / 1_000)) * 1_000);

/** Returns a size as `812 B`, `1.4 KB` or `2.0 MB`. */
export function formatBytes(bytes: number): string {
  // A value of 1023.95 or more would be shown as 1024.0 of the smaller unit.
  const power = Math.min(3, Math.floor(Math.log2(bytes * 1.00005) / 10));
  return power < 1 ? `${bytes} B` : `${(bytes / 1024 ** power).toFixed(1)} ${'KMG'[power - 1]}B`;
}

const clockFormat = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const timeFormat = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' });
const dayFormat = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });

/** Returns a time as `10:21`, in the time zone of the browser. */
export const formatClock = (timeMs: number): string => clockFormat.format(timeMs);

export const formatTime = (timeMs: number): string => timeFormat.format(timeMs);

/** Returns a day as `Today`, `Yesterday` or `Friday, November 20`. */
export function formatDay(timeMs: number, nowMs: number): string {
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  const days = Math.round((midnight - new Date(timeMs).setHours(0, 0, 0, 0)) / 86_400_000);
  if (days === 0) return 'Today';
  return days === 1 ? 'Yesterday' : dayFormat.format(timeMs);
}

/**
 * Returns a time with its time zone, which is that at the end of a timing such as `cron 0 9 * * 1-5 Europe/Berlin`, without one
 * that of the browser: `Fri 27 Nov, 09:00 Europe/Berlin`.
 */
export function formatMoment(timeMs: number, timing: string | null | undefined): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: /^cron .* (\S+)$/.exec(timing ?? '')?.[1],
  });
  return `${format.format(timeMs)} ${format.resolvedOptions().timeZone}`;
}
