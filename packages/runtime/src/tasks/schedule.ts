/** The schedule of a task. */
export interface Schedule {
  /** Text that identifies the schedule: equal schedules have equal texts. */
  readonly spec: string;
  /**
   * Returns the first due time after now and after `afterMs`, in milliseconds since the epoch; `undefined` if there is none.
   * `afterMs` is the due time of the previous run, or now: the clock may have been set back since.
   */
  next(afterMs: number, nowMs: number): number | undefined;
}

/** Returns a schedule that repeats after a duration. Missed times are skipped. */
export function everyMs(ms: number): Schedule {
  return {
    spec: `every ${ms} ms`,
    next: (afterMs, nowMs) => afterMs + ms * (Math.max(0, Math.floor((nowMs - afterMs) / ms)) + 1),
  };
}

/**
 * Returns the schedule of a cron expression. The cron library is imported only when this function is called.
 *
 * @param timeZone - a valid IANA time zone.
 * @throws TypeError or RangeError for an invalid expression.
 */
export async function cronSchedule(expression: string, timeZone: string): Promise<Schedule> {
  const { Cron } = await import('croner');
  const cron = new Cron(expression, { timezone: timeZone, paused: true });
  return {
    spec: `cron ${expression} ${timeZone}`,
    next: (afterMs, nowMs) => cron.nextRun(new Date(Math.max(afterMs, nowMs)))?.getTime(),
  };
}
