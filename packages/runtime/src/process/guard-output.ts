import { createRedactor, redactUncaught } from '@virgule/core/log';
import { readConfig } from '../config/read-config.js';
import { secretsOf } from '../config/secrets-of.js';
import type { ModuleExports } from '../load/import-file.js';
import { readEnv, type Env } from './read-env.js';
import { showSourcesInStacks } from './source-stacks.js';
import { readStartArguments } from './start-arguments.js';

/** Keeps the secrets of a bot out of the output of its process. */
export type GuardedOutput = ReturnType<typeof guardOutput>;

/** Exit code of Node.js when nothing is left that could end a top-level await. */
const EXIT_UNSETTLED = 13;
const UNSETTLED =
  'Error: a file waits at its top level for something that never happens, so the bot does not start. Check each `await` outside of functions.\n';

/**
 * Guards the output of a built bot, whose stacks show the lines of its sources from then on. Called before the project is evaluated: if a file throws, Node.js prints the error and ends
 * the process. Until `settings` is called, every variable that looks like a secret is treated as a secret.
 */
export function guardOutput() {
  showSourcesInStacks();
  // The listener's argument is 0 on Node.js 20.
  process.on('exit', (code) => {
    if ((process.exitCode ?? code) === EXIT_UNSETTLED) process.stderr.write(UNSETTLED);
  });
  let env: Env = process.env;
  try {
    env = readEnv(process.cwd(), readStartArguments(process.argv.slice(2)).mode);
  } catch {
    // A file that cannot be read is reported when the bot starts.
  }
  const redact = createRedactor(secretsOf(env));
  redactUncaught(process, redact);
  return {
    redact,
    /** Sets the secret variables from the exports of the module with the settings. */
    settings(exports: ModuleExports): void {
      redact.set(secretsOf(env, readConfig(exports['default'], { file: '' })));
    },
  };
}
