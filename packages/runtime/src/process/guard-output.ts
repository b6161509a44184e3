import { createRedactor, redactUncaught, type Redactor } from '@virgule/core/log';
import { readConfig } from '../config/read-config.js';
import { secretsOf } from '../config/secrets-of.js';
import type { ModuleExports } from '../load/load-project.js';
import { readEnv, type Env } from './read-env.js';
import { readStartArguments } from './start-arguments.js';

/** Keeps the secrets of a bot out of what its process writes. */
export interface GuardedOutput {
  readonly redact: Redactor;
  /** Reads from the exports of the settings' module what they declare to be secret. */
  settings(exports: ModuleExports): void;
}

/**
 * Guards the output of a built bot. Called before anything of the project is evaluated: a file that
 * throws then ends the process, and Node.js prints what it threw. Until `settings` is called, every
 * variable that looks like a secret is one.
 */
export function guardOutput(): GuardedOutput {
  const env = readableEnv();
  const redact = createRedactor(secretsOf(env));
  redactUncaught(process, redact);
  return {
    redact,
    settings(exports) {
      redact.set(secretsOf(env, readConfig(exports['default'], { file: '' })));
    },
  };
}

/** A file that cannot be read is reported when the bot starts. */
function readableEnv(): Env {
  try {
    return readEnv(process.cwd(), readStartArguments(process.argv.slice(2)).mode);
  } catch {
    return process.env;
  }
}
