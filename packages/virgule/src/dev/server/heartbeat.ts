import type { ChildOptions } from './child.js';

type HeartbeatOptions = Pick<ChildOptions, 'clock' | 'isAwaited'> & {
  /** Its event loop has not turned for more than a second, or turns again. */
  readonly onSilent: (isSilent: boolean) => void;
  /** Called once if there was no response for too long, in seconds. */
  readonly onTimeout: (seconds: number) => void;
  /** Called once if the memory is almost used up. */
  readonly onHeavy: (reason: string) => void;
  /** Whether silence is not limited, since a debugger may pause it. */
  readonly isPatient: boolean;
};

/** Detects from its heartbeats that a process hangs. */
export type Heartbeat = ReturnType<typeof createHeartbeat>;

/** How often a process sends a heartbeat, in milliseconds. */
export const HEARTBEAT_EVERY_MS = 1_000;
/** The interval of the checks, in milliseconds. The sleep of a machine counts as one check. */
const CHECK_EVERY_MS = 250;
/** After this number of checks without a heartbeat, one is overdue. */
const QUIET_CHECKS = 6;
/** The number of checks that a process may be silent: 10 s, or 5 s while a user waits for an answer. */
const SILENT_CHECKS = { usual: 40, unanswered: 20 };
/** While it prints, the limit is this many times as long: the reader of its output may delay it. */
const PRINTING_FACTOR = 6;
/** A heap as full as this share of its limit in this number of heartbeats will not recover by itself. */
const HEAVY = { share: 0.8, times: 3 };

export function createHeartbeat(options: HeartbeatOptions) {
  const { clock, onSilent, onTimeout, onHeavy, isAwaited, isPatient } = options;
  let checks = 0;
  /** The same, but checks during output count less. */
  let silent = 0;
  let hasPrinted = false;
  let heavy = 0;
  let timer = clock.setTimeout(check, CHECK_EVERY_MS);

  function check(): void {
    checks += 1;
    silent += hasPrinted ? 1 / PRINTING_FACTOR : 1;
    hasPrinted = false;
    if (checks === QUIET_CHECKS) onSilent(true);
    const limit = silent > SILENT_CHECKS.unanswered && isAwaited() ? 'unanswered' : 'usual';
    if (silent > SILENT_CHECKS[limit] && !isPatient)
      onTimeout(Math.floor((checks * CHECK_EVERY_MS) / 1_000));
    else timer = clock.setTimeout(check, CHECK_EVERY_MS);
  }

  return {
    /** Notes that the process sent something: its event loop turns. */
    received(): void {
      if (checks >= QUIET_CHECKS) onSilent(false);
      checks = silent = 0;
    },
    /** Notes that it printed something, which code can do that blocks the event loop. */
    printed: (): void => void (hasPrinted = true),
    /** Notes how much of its heap is in use, and how much it may use. */
    weighed(heapBytes: number, heapLimitBytes: number): void {
      heavy = heapBytes > heapLimitBytes * HEAVY.share ? heavy + 1 : 0;
      if (heavy !== HEAVY.times) return;
      const [used, limit] = [heapBytes, heapLimitBytes].map((bytes) => Math.round(bytes / 2 ** 20));
      onHeavy(`its heap holds ${used} of ${limit} MiB, which looks like a leak`);
    },
    stop: (): void => timer.cancel(),
  };
}
