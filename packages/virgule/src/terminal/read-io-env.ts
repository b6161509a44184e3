import { readEnv, secretsOf, type Env } from '@virgule/runtime/project';
import type { Io } from './io.js';

/**
 * Reads the environment, with the `.env` files of a mode below it, and hides values that look like secrets until the
 * settings of the project declare the secrets.
 *
 * @param onIgnored - receives each line that cannot be read. @defaultValue writes the line to stderr
 *
 * @throws VirguleError `E_PROJECT_UNREADABLE` when one of the files cannot be read.
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

/** Reads the same environment for a command that needs no variables: unreadable files are ignored. */
export function readableIoEnv(io: Io, mode: string): Env {
  try {
    return readIoEnv(io, mode);
  } catch {
    io.redact.set(secretsOf(io.env));
    return io.env;
  }
}
