/** Milliseconds since the epoch as an ISO 8601 timestamp. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
