import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@virgule/core/clock';
import { readFaultsFile, startOnFreePort } from '@virgule/simulator/program';
import { openVoiceReceiver } from '../project/voice-receiver.js';
import { forgetSavedChat, keepChat, readSavedChat } from '../state/saved-chat.js';
import { createConversationFiles, createSnapshotFiles } from '../state/snapshot-files.js';
import { waitForState } from '../state/state-lock.js';
import type { Io } from '../terminal/io.js';
import { readProfile } from '../terminal/read-profile.js';
import type { DevFlags } from './dev-flags.js';
import { openDev, serve } from './serve.js';
import { simulatorPlatform } from './server/dev-platform.js';
import { startDevServer } from './server/dev-server.js';
import { editorLink } from './ui/editor-link.js';

/** Runs the bot of the folder on a simulator; resolves with the exit code. Without `--once`, the chat is stored. */
export async function runOnSimulator(flags: DevFlags, io: Io): Promise<number> {
  const profile = await readProfile(flags.profile, io.cwd);
  const { output, log, serverOptions } = openDev(flags, io);
  const envFile = `.env.${flags.mode}`;
  // On a real platform, a mode must exist; here a mode only selects variables.
  if (flags.mode !== undefined && !existsSync(join(io.cwd, envFile)))
    output.notice(`${envFile} does not exist: no variables for the mode "${flags.mode}".`);
  const held = { root: io.cwd, signal: io.interrupt, clock: systemClock };
  using lock = flags.once ? undefined : await waitForState(held);
  if (flags.fresh) forgetSavedChat(io.cwd);
  const saved = flags.once ? undefined : readSavedChat(io.cwd);
  const faults =
    flags.faults === undefined ? undefined : await readFaultsFile(flags.faults, io.cwd);
  // With --once, no one opens the page, and another `dev` may use the usual ports.
  const port = flags.port ?? (flags.once ? 0 : undefined);
  const simulator = await startOnFreePort(
    {
      port,
      saved,
      faults,
      profile,
      log,
      editor: editorLink(io.cwd, io.env, output.notice),
      snapshots: flags.once ? undefined : createSnapshotFiles(io.cwd),
      conversations: createConversationFiles(io.cwd),
      openReceiver: () => openVoiceReceiver(io.cwd),
    },
    output.notice,
  );
  using _chat = flags.once
    ? undefined
    : keepChat({ root: io.cwd, simulator, clock: systemClock, onTrouble: output.notice });
  const { page } = simulator;
  const platform = simulatorPlatform(simulator);
  await using server = await startDevServer({ ...serverOptions, platform });
  lock?.announce(simulator.baseUrl);
  if (flags.open && !flags.once) await output.open(page);
  // Awaited here, because the resources above are disposed on return.
  const exitCode = await serve(server, flags, io, { page, output });
  // A new `dev` waits for the end of this process.
  lock?.announce();
  return exitCode;
}
