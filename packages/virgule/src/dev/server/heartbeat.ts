import type { ChildOptions } from './child.js';

type HeartbeatOptions = Pick<ChildOptions, 'clock' | 'isAwaited' | 'onSilent'> & {
  /** Called once when the process has not responded for too long, with the time in seconds. */
  readonly onTimeout: (seconds: number) => void;
  /** True if silence has no limit, since a debugger may pause the process. */
  readonly isPatient: boolean;
};

/** Monitor that detects a hanging process by its heartbeats. */
export type Heartbeat = ReturnType<typeof createHeartbeat>;

/** Interval of the heartbeats, in milliseconds. */
export const HEARTBEAT_EVERY_MS = 1_000;
/** Interval of the checks, in milliseconds. The sleep of a machine counts as one check. */
const CHECK_EVERY_MS = 250;
/** Number of checks without a heartbeat after which a heartbeat is overdue. */
const QUIET_CHECKS = 6;
/** Number of checks during which a process may be silent: 10 s, or 5 s while a user waits for an answer. */
const SILENT_CHECKS = { usual: 40, unanswered: 20 };

export function createHeartbeat(options: HeartbeatOptions) {
  const { clock, onSilent, onTimeout, isAwaited, isPatient } = options;
  /** Number of checks without a message. */
  let checks = 0;
  let timer = clock.setTimeout(check, CHECK_EVERY_MS);

  function check(): void {
    checks += 1;
    if (checks === QUIET_CHECKS) onSilent();
    const limit = checks > SILENT_CHECKS.unanswered && isAwaited() ? 'unanswered' : 'usual';
    if (checks > SILENT_CHECKS[limit] && !isPatient)
      onTimeout(Math.floor((checks * CHECK_EVERY_MS) / 1_000));
    else timer = clock.setTimeout(check, CHECK_EVERY_MS);
  }

  return {
    /** Returns whether a heartbeat is overdue. */
    isSilent: (): boolean => checks >= QUIET_CHECKS,
    /** Records a message of the process, which shows that its event loop runs. */
    received: (): void => void (checks = 0),
    stop: (): void => timer.cancel(),
  };
}
