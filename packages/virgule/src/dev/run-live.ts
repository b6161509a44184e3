import { systemClock } from '@virgule/core/clock';
import { runtimeErrors } from '@virgule/runtime/errors';
import { optimizeWasmLate, readConnection, settingsForMode } from '@virgule/runtime/project';
import { loadSettings } from '../project/load-settings.js';
import { waitForState } from '../state/state-lock.js';
import type { Io } from '../terminal/io.js';
import type { DevFlags } from './dev-flags.js';
import { openDev, serve } from './serve.js';
import { startDevServer } from './server/dev-server.js';
import { openLivePlatform } from './server/dev-platform.js';

/** Runs the bot of the folder on the real platform, and resolves with the exit code. */
export async function runLive(flags: DevFlags, io: Io): Promise<number> {
  for (const name of ['port', 'open', 'fresh', 'faults', 'profile'] as const) {
    const both = ['--live', `--${name}`];
    if (flags[name] !== undefined && flags[name] !== false)
      throw runtimeErrors.E_ARGUMENTS({ kind: 'conflict', command: 'dev', flags: both });
  }
  io.keepCode();
  optimizeWasmLate();
  const { output, env, log, serverOptions } = openDev(flags, io);
  const { cwd: root, redact } = io;
  const { mode = 'development' } = flags;
  const variables = env();
  const loaded = await loadSettings({ root, env: variables, redact });
  const settings = settingsForMode(loaded, { mode, root });
  const connection = readConnection(variables, settings, { root, mode });
  const held = { root, signal: io.interrupt, clock: systemClock };
  using _lock = flags.once ? undefined : await waitForState(held);
  const platform = await openLivePlatform(connection, log, io.interrupt);
  await using server = await startDevServer({ ...serverOptions, platform });
  // Awaited here, because the resources above are disposed on return.
  return await serve(server, flags, io, { connection, output });
}
