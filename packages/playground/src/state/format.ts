/** Returns `14:41`; rounds up, so that the countdown shows `0:00` only at its end. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** Returns a duration as `3 s`, `1.5 s`, `15 min` or `2 h`. */
export function formatDuration(ms: number): string {
  if (ms >= 3_600_000 && ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000} min`;
  if (ms < 1000) return `${ms} ms`;
  return `${Number((ms / 1000).toFixed(1))} s`;
}

/** Returns a size as `812 B`, `1.4 KB` or `2.0 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB'];
  let value = bytes / 1024;
  let unit = 0;
  // A value of 1023.95 or more would be shown as 1024.0 of the smaller unit.
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit] ?? ''}`;
}

const clockFormat = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const timeFormat = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' });
const dayFormat = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});

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

/** Returns a wait, rounded up, in at most two units: `17 h 27 min`. */
export function formatWait(ms: number): string {
  if (ms < 60_000) return `${Math.ceil(ms / 1000)} s`;
  const minutes = Math.ceil(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}
