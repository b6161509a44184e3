import type { RunningSubject } from './reload-subject.js';

export interface SaveToAnswer {
  /** Time from the write of the file to the first answer from the new code, in milliseconds. */
  readonly ms: number;
  readonly asked: number;
  /** Number of commands that were never answered. */
  readonly lost: number;
}

/** Time between two commands: 20 per second. More would measure the load, not the reload. */
const COMMAND_INTERVAL_MS = 50;
/** Maximum time until an edit takes effect, in milliseconds. */
const TIMEOUT_MS = 60_000;

/**
 * Saves a file while commands are sent, sends one more as soon as the change is reported, and waits for the
 * first answer from the new code.
 */
export async function saveToAnswer(
  { chat, changed }: Pick<RunningSubject, 'chat' | 'changed'>,
  line: string,
  save: () => void,
  isNew: (answer: string) => boolean,
): Promise<SaveToAnswer> {
  const pending = new Set<Promise<void>>();
  let asked = 0;
  let lost = 0;
  let shown: () => void = () => {};
  const isShown = new Promise<void>((resolve) => {
    shown = resolve;
  });

  function ask(): void {
    asked += 1;
    const answered = chat.ask(line).then((answer) => {
      if (answer === undefined) lost += 1;
      else if (isNew(answer)) shown();
      pending.delete(answered);
    });
    pending.add(answered);
  }

  const isReported = changed();
  const traffic = setInterval(ask, COMMAND_INTERVAL_MS);
  const late = lateAfter(TIMEOUT_MS);
  const startMs = performance.now();
  try {
    save();
    void isReported.then(ask);
    const isLate = await Promise.race([isShown, late.promise]);
    if (isLate) throw new Error(`${line} did not change within ${TIMEOUT_MS / 1_000} s.`);
    const ms = performance.now() - startMs;
    clearInterval(traffic);
    await isReported;
    await Promise.all(pending);
    return { ms, asked, lost };
  } finally {
    clearInterval(traffic);
    late.cancel();
  }
}

function lateAfter(ms: number): { readonly promise: Promise<true>; cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), ms);
  });
  return { promise, cancel: () => clearTimeout(timer) };
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
