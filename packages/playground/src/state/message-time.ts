/** Returns an ISO timestamp as milliseconds since the epoch; 0 if it is invalid. */
export function timeOf(isoTime: string): number {
  const time = Date.parse(isoTime);
  return Number.isNaN(time) ? 0 : time;
}
