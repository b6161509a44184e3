import { readFileSync } from 'node:fs';
import { errorCode, errorText } from '../errors/error-text.js';
import type { Log } from '../log/log.js';
import { recordIn } from '../objects/is-object.js';
import { orUndefined } from '../objects/or-undefined.js';
import { writeStateFile } from './state-folder.js';

/** A small JSON file that one run leaves to the next. */
export type StateFile = ReturnType<typeof createStateFile>;

export interface StateFileOptions {
  readonly path: string;
  /** Owner of the state, for the log: `the gateway`. */
  readonly of: string;
  readonly log: Log;
}

/** Creates a state file. A disk that cannot be read or written is logged once, and tolerated. */
export function createStateFile({ path, of, log }: StateFileOptions) {
  let isLogged = false;

  function warnOnce(error: unknown, message: string): void {
    if (isLogged) return;
    isLogged = true;
    log.warn({ path, error: errorText(error) }, message);
  }

  return {
    /** Returns the result of `parse`; `undefined` if the file cannot be read, or `parse` throws. */
    read<State>(parse: (state: unknown) => State): State | undefined {
      try {
        return parse(JSON.parse(readFileSync(path, 'utf8')));
      } catch (error) {
        if (errorCode(error) !== 'ENOENT')
          warnOnce(error, `the state of ${of} cannot be read; the bot starts without it`);
        return undefined;
      }
    },
    /** Replaces the keys of `state`. Other keys stay, because two parts may share the file. */
    write(state: object): void {
      // A missing or broken file is replaced.
      const others = recordIn(orUndefined(() => readFileSync(path, 'utf8')) ?? '');
      try {
        writeStateFile(path, JSON.stringify({ ...others, ...state }));
      } catch (error) {
        warnOnce(error, `the state of ${of} cannot be written; a restart will not know of it`);
      }
    },
  };
}
