import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';
import * as zlib from 'node:zlib';

/** `false` in Node.js 22.0 and 22.1, which have no checksum. */
export const canCache = typeof zlib.crc32 === 'function';
/** Bytes of the checksum, which precedes V8's code. */
const HEAD = 4;
/** Writers of the code that this process has compiled. */
const unwritten = new Set<() => void>();

/**
 * Runs a script of ASCII characters, and returns its value. V8 takes the code that it compiled for the script in an earlier
 * process from `cacheFile`. If there is none, or only one of another version, `keepCode` writes the code of all functions that
 * have run.
 */
export function runCached(file: string, cacheFile: string): unknown {
  const source = readFileSync(file);
  const cachedData = readCode(cacheFile, source);
  const script = new Script(source.toString('latin1'), { filename: file, cachedData });
  if (cachedData === undefined || script.cachedDataRejected === true)
    unwritten.add(() => {
      const code = script.createCachedData();
      const head = Buffer.alloc(HEAD);
      head.writeUInt32LE(checksum(source, code));
      writeWhole(cacheFile, Buffer.concat([head, code]));
    });
  return script.runInThisContext();
}

/** Writes the compiled code, once: when the process exits, or earlier, because V8 accepts code only under the flags that it has then. */
export function keepCode(): void {
  for (const write of unwritten) {
    unwritten.delete(write);
    try {
      write();
    } catch {
      // The next process compiles the script again.
    }
  }
}
process.on('exit', keepCode);

function readCode(cacheFile: string, source: Buffer): Buffer | undefined {
  try {
    const stored = readFileSync(cacheFile);
    const code = stored.subarray(HEAD);
    return stored.readUInt32LE() === checksum(source, code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** V8 compares only the length of the source, and crashes with damaged code. */
const checksum = (source: Buffer, code: Buffer): number =>
  zlib.crc32(code, zlib.crc32(source, zlib.crc32(`${process.version} ${process.arch}`)));

/** Writes a file that other processes may write and read at the same time. */
export function writeWhole(file: string, data: string | Uint8Array): void {
  const written = `${file}.${process.pid}`;
  try {
    writeFileSync(written, data);
    renameSync(written, file);
  } finally {
    rmSync(written, { force: true });
  }
}
