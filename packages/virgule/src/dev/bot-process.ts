import { fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@virgule/core/clock';
import type { SimProblem } from '@virgule/core/simulator-api';
import type { FromChild, ReloadOutcome, ToChild } from './messages.js';

export interface BotProcessOptions {
  readonly root: string;
  readonly token: string;
  readonly baseUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** A line the process wrote. */
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void;
  /** The process ended without having been told to. */
  readonly onLost: (how: string) => void;
}

/** What became of the start of a bot's process. */
type BotStart =
  | { readonly outcome: 'loaded'; readonly commands: number; readonly events: number }
  | { readonly outcome: 'refused'; readonly problems: readonly SimProblem[] }
  | { readonly outcome: 'lost'; readonly how: string };

/** One process that runs the bot's code. */
export interface BotProcess {
  readonly pid: number | undefined;
  /** Settles once the bot is loaded, or will never be. */
  readonly started: Promise<BotStart>;
  send(message: ToChild): void;
  reload(files: readonly string[]): Promise<ReloadOutcome | null>;
  /** Ends it: in good order, or by force when that takes too long. */
  stop(): Promise<void>;
}

const ENTRY = fileURLToPath(new URL('../process/dev-child.js', import.meta.url));
/** How long a process may take to end in good order: the handlers' 10 s and a little more. */
const STOP_MS = 11_000;

export function startBotProcess(options: BotProcessOptions): BotProcess {
  const { root, token, baseUrl, env, clock, onLine, onLost } = options;
  const child = fork(ENTRY, {
    cwd: root,
    env: { ...env, VIRGULE_TOKEN: token, VIRGULE_BASE_URL: baseUrl },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const waiting = new Map<number, (result: ReloadOutcome | null) => void>();
  let reloads = 0;
  let stopping = false;
  let settleStart: (start: BotStart) => void;
  const started = new Promise<BotStart>((resolve) => {
    settleStart = resolve;
  });
  let loaded = false;

  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => onLine(line, 'stdout'));
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => onLine(line, 'stderr'));

  child.on('message', (message) => {
    // Both ends are of one version; nothing else writes to this channel.
    const said = message as FromChild;
    if (said.type === 'loaded') {
      loaded = true;
      settleStart({ outcome: 'loaded', commands: said.commands, events: said.events });
    } else if (said.type === 'refused') {
      stopping = true;
      settleStart({ outcome: 'refused', problems: said.problems });
    } else {
      waiting.get(said.number)?.(said.result);
      waiting.delete(said.number);
    }
  });

  const ended = new Promise<void>((resolve) => {
    const onEnd = (how: string): void => {
      settleStart({ outcome: 'lost', how });
      for (const settle of waiting.values()) settle(null);
      waiting.clear();
      resolve();
      if (loaded && !stopping) onLost(how);
    };
    child.once('error', (error) => onEnd(error.message));
    child.once('exit', (code, signal) =>
      onEnd(signal ? `killed by ${signal}` : `exit code ${code}`),
    );
  });

  function send(message: ToChild): void {
    // A channel that has just closed is told by `exit`; an error here would say it twice.
    if (child.connected) child.send(message, () => {});
  }

  return {
    pid: child.pid,
    started,
    send,
    reload(files) {
      return new Promise((resolve) => {
        if (!child.connected) return resolve(null);
        reloads += 1;
        waiting.set(reloads, resolve);
        send({ type: 'reload', number: reloads, files });
      });
    },
    async stop() {
      stopping = true;
      send({ type: 'stop' });
      const timer = clock.setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      timer.cancel();
    },
  };
}
