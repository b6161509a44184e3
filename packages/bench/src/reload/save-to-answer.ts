import type { RunningSubject } from './reload-subject.js';

export interface SaveToAnswer {
  /** From the write of the file to the first answer that shows it, in milliseconds. */
  readonly ms: number;
  readonly asked: number;
  /** Commands that were never answered. */
  readonly lost: number;
}

/** There is always somebody who types a command: 20 a second. More would measure the load, not the reload. */
const ASK_EVERY_MS = 50;
/** An edit that does not show up by then never will, in milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * Saves a file while commands are typed, types one more as soon as the change is said to be there, and
 * waits for the first answer that shows it.
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

  const saidSo = changed();
  const traffic = setInterval(ask, ASK_EVERY_MS);
  const late = lateAfter(PATIENCE_MS);
  const startMs = performance.now();
  try {
    save();
    void saidSo.then(ask);
    const isLate = await Promise.race([isShown, late.promise]);
    if (isLate) throw new Error(`${line} never changed`);
    const ms = performance.now() - startMs;
    clearInterval(traffic);
    await saidSo;
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
