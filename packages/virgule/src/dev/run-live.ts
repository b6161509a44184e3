import { systemClock } from '@virgule/core/clock';
import { waitForState } from '../state/state-lock.js';
import type { Io } from '../terminal/io.js';
import type { DevFlags } from './dev-flags.js';
import { openDev, serve } from './serve.js';
import { startDevServer } from './server/dev-server.js';
import { openLivePlatform, readLiveConnection } from './server/live-platform.js';

/** Runs the bot of the folder on the real platform, and resolves with the exit code. */
export async function runLive(flags: DevFlags, io: Io): Promise<number> {
  const { output, env, log, serverOptions } = openDev(flags, io);
  const connection = await readLiveConnection({
    root: io.cwd,
    env: env(),
    redact: io.redact,
    mode: flags.mode ?? 'development',
  });
  const held = { root: io.cwd, signal: io.interrupt, clock: systemClock };
  using _lock = flags.once ? undefined : await waitForState(held);
  const platform = await openLivePlatform({ ...connection, log, signal: io.interrupt });
  await using server = await startDevServer({ ...serverOptions, platform });
  // Awaited here: what is used above lives until then.
  return await serve(server, flags, io, { connection, output });
}
