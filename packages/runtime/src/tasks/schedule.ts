/** When a task runs by itself. */
export interface Schedule {
  /** Its text: the same as long as the schedule is. */
  readonly spec: string;
  /**
   * Returns the first time after now: `afterMs` is when the run before was due, or now. In milliseconds since the epoch;
   * `undefined` if there is none.
   */
  next(afterMs: number, nowMs: number): number | undefined;
}

/** Returns a schedule that repeats after a duration. Times that were missed are left out. */
export function everyMs(ms: number): Schedule {
  return {
    spec: `every ${ms} ms`,
    next: (afterMs, nowMs) => afterMs + ms * (Math.max(0, Math.floor((nowMs - afterMs) / ms)) + 1),
  };
}

/**
 * Returns the schedule of a cron expression. Its library is imported only for those.
 *
 * @param timeZone - a valid one.
 * @throws TypeError or RangeError for an invalid expression.
 */
export async function cronSchedule(expression: string, timeZone: string): Promise<Schedule> {
  const { Cron } = await import('croner');
  const cron = new Cron(expression, { timezone: timeZone, paused: true });
  return {
    spec: `cron ${expression} ${timeZone}`,
    next: (_, nowMs) => cron.nextRun(new Date(nowMs))?.getTime(),
  };
}
