import diagnosticsChannel from 'node:diagnostics_channel';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Duplex } from 'node:stream';

const READS = ['lstatSync', 'openSync', 'readFileSync', 'readdirSync', 'statSync'] as const;

export interface Calls {
  /** Calls of functions of `node:fs` for paths in the folder. */
  readonly files: Record<string, number>;
  /** Requests to the service of esbuild. */
  compiles: number;
  /** HTTP requests of undici. */
  requests: number;
}

/** Counts what a save costs without a clock: calls for files of a folder, calls of esbuild, and requests. */
export function countCalls(folder: string): Calls & Disposable {
  const calls: Calls = { files: {}, compiles: 0, requests: 0 };
  const restore: (() => void)[] = [];
  function wrap<Name extends string>(
    owner: Record<Name, (...given: never[]) => unknown>,
    name: Name,
    count: (given: readonly unknown[]) => void,
  ): void {
    const real = owner[name];
    owner[name] = Object.assign(function counted(this: unknown, ...given: never[]) {
      count(given);
      return Reflect.apply(real, this, given);
    }, real);
    restore.push(() => (owner[name] = real));
  }
  const countFile =
    (name: string) =>
    ([file]: readonly unknown[]): void => {
      const path = String(file);
      // Whether git is writing is asked until it is not.
      if (path.startsWith(folder) && !path.includes('.git'))
        calls.files[name] = (calls.files[name] ?? 0) + 1;
    };
  for (const name of READS) wrap(fs as never, name, countFile(name));
  wrap(fs.realpathSync as never, 'native', countFile('realpathSync.native'));
  for (const name of ['lstat', 'readdir', 'stat', 'readFile', 'realpath'])
    wrap(fs.promises as never, name, countFile(name));
  // A request to esbuild is a packet that names its command.
  wrap(Duplex.prototype as never, 'write', ([chunk]) => {
    if (chunk instanceof Uint8Array && Buffer.from(chunk).includes('transform'))
      calls.compiles += 1;
  });
  const onRequest = (): void => void (calls.requests += 1);
  diagnosticsChannel.subscribe('undici:request:create', onRequest);
  syncBuiltinESMExports();
  return Object.assign(calls, {
    [Symbol.dispose]() {
      for (const undo of restore) undo();
      diagnosticsChannel.unsubscribe('undici:request:create', onRequest);
      syncBuiltinESMExports();
    },
  });
}
