import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Timer } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import { STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
import type { Simulator } from '@virgule/simulator';

export interface SavedChatOptions {
  /** The project's folder. */
  readonly root: string;
  readonly simulator: Pick<Simulator, 'save' | 'on'>;
  readonly clock: Clock;
  /** Called once if it cannot be written. The chat itself continues. */
  readonly onTrouble: (text: string) => void;
  /** @defaultValue the disk */
  readonly write?: ((file: string, text: string) => void) | undefined;
}

const FILE = join(STATE_FOLDER, 'chat.json');
/** The chat is written this long after it has changed, in milliseconds: a busy bot must not wait for a disk. */
const SAVE_AFTER_MS = 1_000;

/** Returns the chat that was kept last time; `undefined` when none was, or it cannot be read. */
export function readSavedChat(root: string): unknown {
  try {
    return JSON.parse(readFileSync(join(root, FILE), 'utf8'));
  } catch {
    return undefined;
  }
}

export function forgetSavedChat(root: string): void {
  rmSync(join(root, FILE), { force: true });
}

/** Keeps the chat of a simulator in a file. */
export function keepChat(options: SavedChatOptions) {
  const { root, simulator, clock, onTrouble, write = writeStateFile } = options;
  let timer: Timer | undefined;
  let isReported = false;

  function save(): void {
    timer = undefined;
    try {
      write(join(root, FILE), JSON.stringify(simulator.save()));
    } catch (error) {
      if (isReported) return;
      isReported = true;
      onTrouble(
        `The chat could not be saved: ${errorText(error)}. Free disk space, or make ${FILE} writable.`,
      );
    }
  }

  const stop = simulator.on(({ type }) => {
    if (type === 'message') timer ??= clock.setTimeout(save, SAVE_AFTER_MS);
  });
  return {
    /** Writes what is not written yet, and stops. */
    close(): void {
      stop();
      if (!timer) return;
      timer.cancel();
      save();
    },
  };
}
