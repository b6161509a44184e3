import { appendFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '@virgule/core/objects';
import type { Clock, Timer } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import { STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
import type { Simulator } from '@virgule/simulator';

export interface SavedChatOptions {
  /** Folder of the project. */
  readonly root: string;
  readonly simulator: Pick<Simulator, 'restored' | 'save' | 'journal'>;
  readonly clock: Clock;
  /** Called once if the previous chat cannot be read, and once per outage if the chat cannot be written. The chat continues. */
  readonly onTrouble: (text: string) => void;
  /** Minimum growth of the file in bytes before it is truncated. @defaultValue 4 MiB */
  readonly growthBytes?: number | undefined;
}

/** Chat as lines: its state when the file was truncated, then every change. */
const FILE = join(STATE_FOLDER, 'chat.jsonl');

/** Chat that could not be read. */
const UNREADABLE = join(STATE_FOLDER, 'chat.unreadable.jsonl');

/** Delay in milliseconds between a change and its write, so that the changes of a busy bot are written together. */
const WRITE_AFTER_MS = 50;
/** Delay in milliseconds before a failed write is repeated. */
const RETRY_AFTER_MS = 1_000;
const GROWTH_BYTES = 4 * 1024 * 1024;

/** Returns the chat of the previous run; `undefined` when none was stored, or it cannot be read. */
export const readSavedChat = (root: string): string | undefined =>
  orUndefined(() => readFileSync(join(root, FILE), 'utf8'));

export const forgetSavedChat = (root: string): void => rmSync(join(root, FILE), { force: true });

/** Stores the chat of a simulator in a file: the journal of its changes, truncated at the start and after growth. */
export function keepChat(options: SavedChatOptions) {
  const { root, simulator, clock, onTrouble, growthBytes = GROWTH_BYTES } = options;
  const path = join(root, FILE);
  /** Changes that are not in the file yet. */
  let pending = '';
  /** Size of the file in bytes; `undefined` while the file does not contain this chat. */
  let bytes: number | undefined;
  /** Size in bytes above which the file is truncated. */
  let maxBytes = 0;
  let timer: Timer | undefined;
  let isReported = false;

  const schedule = (): void => void (timer ??= clock.setTimeout(write, WRITE_AFTER_MS));

  function write(): void {
    timer = undefined;
    const changes = pending;
    pending = '';
    try {
      // A file that was deleted must not begin with a change, so it is replaced with the current chat.
      if (bytes === undefined || bytes > maxBytes || !existsSync(path)) {
        const text = simulator.save();
        writeStateFile(path, text);
        bytes = Buffer.byteLength(text);
        maxBytes = bytes + Math.max(bytes, growthBytes);
      } else {
        appendFileSync(path, changes);
        bytes += Buffer.byteLength(changes);
      }
      isReported = false;
    } catch (error) {
      bytes = undefined;
      timer = clock.setTimeout(write, RETRY_AFTER_MS);
      if (isReported) return;
      isReported = true;
      onTrouble(
        `The chat could not be saved: ${errorText(error)}. Free disk space, or make ${FILE} writable.`,
      );
    }
  }

  const stop = simulator.journal(
    (line) => {
      pending += line;
      schedule();
    },
    () => {
      bytes = undefined;
      schedule();
    },
  );
  if (simulator.restored) schedule();
  else if (readSavedChat(root) !== undefined) {
    orUndefined(() => renameSync(path, join(root, UNREADABLE)));
    onTrouble(`The chat of the last run cannot be read; it was kept as ${UNREADABLE}.`);
  }
  /** Writes pending changes, and stops. */
  function close(): void {
    stop();
    if (!timer) return;
    timer.cancel();
    write();
    timer?.cancel();
  }

  return { close, [Symbol.dispose]: close };
}
