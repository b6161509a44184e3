import { startSimulator } from '@virgule/simulator';
import { openVoiceReceiver } from '../project/voice-receiver.js';
import { freePort } from '../terminal/free-port.js';
import { interrupted } from '../terminal/interrupted.js';
import type { Io } from '../terminal/io.js';
import { readFaultsFile, readProfile } from '../terminal/read-simulator-flags.js';
import { addressesOf, describeSimulator } from '../terminal/simulator-text.js';

interface ServeFlags {
  readonly port?: number;
  readonly faults?: string;
  readonly profile?: string;
  readonly bots?: string;
  readonly users?: string;
  readonly servers?: string;
  readonly sockets?: string;
  readonly json?: boolean;
}

/** Runs a simulator until an interrupt, and prints its addresses. Resolves with the exit code. */
export async function serveSimulator(flags: ServeFlags, io: Io): Promise<number> {
  const profile = readProfile(flags.profile);
  const faults = flags.faults === undefined ? undefined : await readFaultsFile(flags.faults, io);
  const bots = flags.bots?.split(',').map((username) => ({ username: username.trim() }));
  const size = {
    users: numberOf(flags.users),
    servers: numberOf(flags.servers),
    sockets: numberOf(flags.sockets),
  };
  await using platform = await freePort(
    flags.port,
    (port) =>
      startSimulator({
        profile,
        port,
        faults,
        bots,
        size,
        openReceiver: () => openVoiceReceiver(io.cwd),
      }),
    (text) => void io.stderr.write(`${text}\n`),
  );
  if (flags.json) io.stdout.write(`${JSON.stringify(addressesOf(platform))}\n`);
  else io.stdout.write(describeSimulator(platform));
  await interrupted(io.interrupt);
  return 0;
}

/** Returns the number in a string; NaN if there is none, which the simulator reports. */
function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
