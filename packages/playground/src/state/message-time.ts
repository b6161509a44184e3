/** Milliseconds since the epoch of an ISO timestamp; 0 when it is not one. */
export function timeOf(isoTime: string): number {
  const time = Date.parse(isoTime);
  return Number.isNaN(time) ? 0 : time;
}
