import type { Clock } from '@virgule/core/clock';

export interface TellWaitsOptions {
  readonly clock: Clock;
  /** How long the platform still wants to be left alone, in milliseconds; 0 when it does not. */
  readonly pausedForMs: () => number;
  readonly tell: (line: string) => void;
}

/** How often is looked, in milliseconds. */
const LOOK_MS = 500;
/** A pause this short is over before anyone has read of it, in milliseconds. */
const WORTH_TELLING_MS = 1_000;

/** Says once what a command that seems to hang is waiting for, whenever a rate limit pauses it. */
export function tellWaits({ clock, pausedForMs, tell }: TellWaitsOptions): Disposable {
  let isTold = false;
  let timer = clock.setTimeout(look, LOOK_MS);

  function look(): void {
    const ms = pausedForMs();
    if (ms === 0) isTold = false;
    else if (!isTold && ms >= WORTH_TELLING_MS) {
      isTold = true;
      tell(`The platform asks to wait (rate limit): going on in ${Math.ceil(ms / 1_000)} s.`);
    }
    timer = clock.setTimeout(look, LOOK_MS);
  }

  return { [Symbol.dispose]: () => timer.cancel() };
}
