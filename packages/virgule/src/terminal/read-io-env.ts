import { readEnv, secretsOf, type Env } from '@virgule/runtime/process';
import type { Io } from './io.js';

/**
 * Reads the environment, with the `.env` files of a mode below it, and hides what looks like a secret
 * in it, until the settings of the project say what is one.
 *
 * @param onIgnored - receives each line that cannot be read. @defaultValue writes it to stderr
 *
 * @throws VirguleError `E_ENV_UNREADABLE` when one of the files cannot be read.
 */
export function readIoEnv(
  { cwd, env, redact, stderr }: Io,
  mode: string,
  onIgnored = (text: string): void => void stderr.write(`! ${text}\n`),
): Env {
  const read = readEnv(cwd, mode, env, onIgnored);
  redact.set(secretsOf(read));
  return read;
}

/** Reads the same for a command that needs no variables: files that cannot be read are left out. */
export function readableIoEnv(io: Io, mode: string): Env {
  try {
    return readIoEnv(io, mode);
  } catch {
    io.redact.set(secretsOf(io.env));
    return io.env;
  }
}
