import type { Clock } from '@virgule/core/clock';

export interface HeartbeatOptions {
  readonly clock: Clock;
  /** Its event loop has not turned for more than a second, or turns again. */
  readonly onQuiet: (isQuiet: boolean) => void;
  /** Called once if there was no response for too long, in seconds. */
  readonly onSilence: (seconds: number) => void;
  /** Called once if the memory is almost used up. */
  readonly onHeavy: (reason: string) => void;
  /** Whether it has a command for which the platform has received no call yet. */
  readonly owesAnswer: () => boolean;
  /** Whether silence is not limited, since a debugger may pause it. @defaultValue `false` */
  readonly isPatient?: boolean | undefined;
}

/** Detects from its heartbeats that a process hangs. */
export interface Heartbeat {
  /** It sent something: its event loop turns. */
  heard(): void;
  /** It printed something, which code can do that blocks the event loop. */
  printed(): void;
  /** How much of its heap is in use, and how much it may use. */
  weighed(heapBytes: number, heapLimitBytes: number): void;
  stop(): void;
}

/** How often a process sends a heartbeat, in milliseconds. */
export const HEARTBEAT_EVERY_MS = 1_000;
/** How often is checked, in milliseconds. The sleep of a machine counts as one check. */
const LOOK_EVERY_MS = 250;
/** After so many looks without a sign, one is overdue. */
const QUIET_LOOKS = 6;
/** So many looks a process may be silent: 10 s, or 5 s when someone waits for it. */
const SILENT_LOOKS = { usual: 40, owing: 20 };
/** While it prints, it gets this many times as long: the reader of its output may hold it up. */
const PRINTING_FACTOR = 6;
/** A heap as full as this share of its limit, so many times in a row, will not get better by itself. */
const HEAVY = { share: 0.8, times: 3 };

export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { clock, onQuiet, onSilence, onHeavy, owesAnswer, isPatient = false } = options;
  let looks = 0;
  /** The same, with those looks counted less between which it printed. */
  let silent = 0;
  let hasPrinted = false;
  let heavy = 0;
  let timer = clock.setTimeout(look, LOOK_EVERY_MS);

  function look(): void {
    looks += 1;
    silent += hasPrinted ? 1 / PRINTING_FACTOR : 1;
    hasPrinted = false;
    if (looks === QUIET_LOOKS) onQuiet(true);
    const longest = silent > SILENT_LOOKS.owing && owesAnswer() ? 'owing' : 'usual';
    if (silent > SILENT_LOOKS[longest] && !isPatient)
      onSilence(Math.floor((looks * LOOK_EVERY_MS) / 1_000));
    else timer = clock.setTimeout(look, LOOK_EVERY_MS);
  }

  return {
    heard() {
      if (looks >= QUIET_LOOKS) onQuiet(false);
      looks = silent = 0;
    },
    printed: () => void (hasPrinted = true),
    weighed(heapBytes, heapLimitBytes) {
      heavy = heapBytes > heapLimitBytes * HEAVY.share ? heavy + 1 : 0;
      if (heavy !== HEAVY.times) return;
      const [used, limit] = [heapBytes, heapLimitBytes].map((bytes) => Math.round(bytes / 2 ** 20));
      onHeavy(`its heap holds ${used} of ${limit} MiB, which looks like a leak`);
    },
    stop: () => timer.cancel(),
  };
}
