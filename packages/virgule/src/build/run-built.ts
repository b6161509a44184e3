import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '@virgule/core/clock';
import { onAbort } from '@virgule/core/abort';
import { ENDS_WITH_PARENT } from '../process/ends-with-parent.js';

/** How long the last lines of a bot that ended may take to arrive, in milliseconds. */
const LAST_LINES_MS = 500;

/** The built bot, from the project's root. */
export const BUILT_BOT = join('dist', 'bot.mjs');

export interface RunBuiltOptions {
  /** The project's folder. */
  readonly root: string;
  /** The flags of the bot. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the bot: it stops as after SIGTERM. */
  readonly interrupt: AbortSignal;
  /** Whether Ctrl+C reaches the bot without this process, since both are on a terminal. */
  readonly terminal: boolean;
  /** Receives the lines of its log. @defaultValue standard output of this process receives them */
  readonly onLine?: ((line: string) => void) | undefined;
}

/** Runs the built bot in a process of its own and resolves with its exit code; 128 and the number of a signal that killed it. */
export function runBuilt(options: RunBuiltOptions): Promise<number> {
  const { root, args, env, interrupt, terminal, onLine } = options;
  const flags = [...ENDS_WITH_PARENT, '--enable-source-maps'];
  const child = spawn(process.execPath, [...flags, BUILT_BOT, ...args], {
    cwd: root,
    env: { ...env },
    stdio: ['inherit', onLine ? 'pipe' : 'inherit', 'inherit'],
  });
  if (child.stdout && onLine) createInterface({ input: child.stdout }).on('line', onLine);
  let stop: NodeJS.Signals = 'SIGTERM';
  const forward = (): void => {
    if (interrupt.reason === 'SIGHUP') stop = 'SIGHUP';
    // A terminal sends Ctrl+C to the child as well, and a second signal would cut the drain short; a second SIGHUP does not.
    if (!(terminal && interrupt.reason === 'SIGINT')) child.kill(stop);
  };
  onAbort(interrupt, forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // Processes that it leaves behind may hold its output open.
    child.once('exit', () => systemClock.setTimeout(() => child.stdout?.destroy(), LAST_LINES_MS));
    // Not at "exit": lines may be left in the pipe.
    child.once('close', (code, signal) => {
      // It was stopped before it could react to signals.
      const isStopped = interrupt.aborted && signal === stop;
      resolve(isStopped ? 0 : (code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
    });
  });
}
