import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { type Clock, settlesWithin } from '@virgule/core/clock';
import { isObject } from '@virgule/core/objects';
import type { SimBotQuestion } from '@virgule/core/simulator-api';
import { forkChild, type ChildEnv } from './fork-child.js';
import { EXIT_IN_USE } from '../in-use.js';
import type { DevPlatform } from './dev-platform.js';
import { createHeartbeat, type Heartbeat } from './heartbeat.js';
import type { FromChild, Keyed, ToChild } from '../ipc.js';
import { splitOutput } from './output-splitter.js';
import { Requests } from './requests.js';

export interface BotProcessOptions {
  readonly root: string;
  readonly platform: Pick<DevPlatform, 'token' | 'baseUrl' | 'live'>;
  readonly env: ChildEnv;
  readonly clock: Clock;
  /**
   * The port on which a debugger can attach. A process under a debugger may be paused: it gets unlimited time.
   *
   * @defaultValue none
   */
  readonly inspectPort?: number | undefined;
  /** The program, which speaks as `messages.ts` says. @defaultValue the one that runs a bot */
  readonly entry?: string | undefined;
  /** A line the process wrote; `log` is `true` for an entry of its log. A line of more than 1 MiB comes in parts. */
  readonly onLine: (line: string, stream: 'stdout' | 'stderr', log?: true) => void;
  /** Receives its messages, other than the results of its start and of reloads. */
  readonly onMessage: (message: FromChild) => void;
  /** Its event loop has not turned for more than a second, or turns again. Only of one that is loaded. */
  readonly onQuiet: (isQuiet: boolean) => void;
  /** Whether it has a command for which the platform has received no call yet. */
  readonly hasUnanswered: () => boolean;
  /** What it most likely is busy with, or is loading, for people. */
  readonly suspect: () => string | undefined;
  /** It runs, but should be replaced. */
  readonly onHeavy: (reason: string) => void;
  /** The process ended although it was not stopped. */
  readonly onLost: (how: string) => void;
}

/** What became of the start of a bot's process. */
export type BotStart =
  | Extract<FromChild, { readonly type: 'loaded' | 'refused' }>
  | {
      readonly type: 'lost';
      readonly how: string;
      /** Whether it ended because another process has what it needs. */
      readonly isInUse?: true | undefined;
    };

/** One process that runs the bot's code. */
export type BotProcess = ReturnType<typeof startBotProcess>;

/** How long a bot may take to load. Code that never gets to its end would hold up every later change. */
export const START_MS = 30_000;
/** How long a process may take to end in good order: the handlers' 10 s and a little more. */
export const STOP_MS = 11_000;
/** The same for one that was silent before and sends nothing: code that runs in circles never ends. */
export const SILENT_STOP_MS = 1_000;
/** How long the last lines of a process that ended may take to arrive. */
const LAST_LINES_MS = 500;

export function startBotProcess(options: BotProcessOptions) {
  const { root, env, platform, clock, inspectPort, entry } = options;
  const { onLine, onMessage, onQuiet, onHeavy, onLost, hasUnanswered, suspect } = options;
  const isInspected = inspectPort !== undefined;
  const child = forkChild({ root, env, entry, inspectPort });
  const kill = (): void => void child.kill('SIGKILL');
  // A process whose code runs in circles does not notice that this one is gone.
  process.once('exit', kill);

  let loaded = false;
  let stopping = false;
  let killedFor: string | undefined;
  let wasHung = false;
  /** Whether its last heartbeat is overdue. */
  let isQuiet = false;
  const requests = new Requests({ clock, isPatient: isInspected, send });
  let heartbeat: Heartbeat | undefined;
  let settleStart: (start: BotStart) => void;
  const started = new Promise<BotStart>((resolve) => {
    settleStart = resolve;
  });
  const startTimer = isInspected
    ? undefined
    : clock.setTimeout(() => {
        const what = suspect();
        const where = what === undefined ? '' : `: still loading ${what}`;
        giveUp(`not loaded after ${START_MS / 1_000} s${where}`);
      }, START_MS);

  function giveUp(how: string): void {
    killedFor = how;
    settleStart({ type: 'lost', how });
    kill();
  }

  const key = randomBytes(16).toString('hex');
  const lines = Promise.all(
    (['stdout', 'stderr'] as const).map((stream) =>
      splitOutput(child[stream], key, (line, log) => {
        heartbeat?.printed();
        onLine(line, stream, log);
      }),
    ),
  );

  child.on('message', (message) => {
    if (!isKeyed(message, key)) return;
    const said = message.message;
    heartbeat?.received();
    switch (said.type) {
      case 'loaded': {
        loaded = true;
        startTimer?.cancel();
        heartbeat = createHeartbeat({
          clock,
          onQuiet(quiet) {
            isQuiet = quiet;
            onQuiet(quiet);
          },
          onHeavy,
          hasUnanswered,
          isPatient: isInspected,
          onTimeout(seconds) {
            const files = reloading();
            const what = files === undefined ? suspect() : `the change of ${files}`;
            const where = what === undefined ? '' : `, most likely in ${what}`;
            killedFor = `no response for ${seconds} s${where}`;
            wasHung = true;
            kill();
          },
        });
        settleStart(said);
        break;
      }
      case 'refused':
        stopping = true;
        startTimer?.cancel();
        settleStart(said);
        break;
      case 'reply':
        requests.replied(said.number, said.value);
        break;
      case 'alive':
        heartbeat?.weighed(said.heapBytes, said.heapLimitBytes);
        break;
      default:
        onMessage(said);
    }
  });

  const ended = new Promise<void>((resolve) => {
    let hasEnded = false;
    const onEnd = async (how: string, isInUse = false): Promise<void> => {
      if (hasEnded) return;
      hasEnded = true;
      startTimer?.cancel();
      heartbeat?.stop();
      process.removeListener('exit', kill);
      requests.end();
      // The lines say why it ended, so they come first. What it started itself may hold them open.
      await settlesWithin(lines, LAST_LINES_MS, clock);
      child.stdout?.destroy();
      child.stderr?.destroy();
      settleStart({ type: 'lost', how, ...(isInUse && { isInUse }) });
      resolve();
      if (loaded && !stopping) onLost(how);
    };
    child.once(
      'error',
      (error) => void onEnd(existsSync(root) ? error.message : `the folder ${root} does not exist`),
    );
    child.once('exit', (code, signal) => {
      const what = loaded ? reloading() : suspect();
      const where = what === undefined ? '' : ` while loading ${what}`;
      const how = (signal ? `killed by ${signal}` : `exit code ${code}`) + where;
      void onEnd(killedFor ?? how, code === EXIT_IN_USE);
    });
  });

  function send(message: ToChild, onUndelivered: () => void = () => {}): void {
    // A channel that has just closed is reported by `exit`; an error here would repeat it.
    if (child.connected) child.send(message, (error) => error && onUndelivered());
    else onUndelivered();
  }

  /** Returns the files of the change that it is taking over, for people. */
  const reloading = (): string | undefined =>
    requests.reloading?.map((file) => relative(root, file)).join(', ');

  const { token, baseUrl, live } = platform;
  send({ type: 'begin', env, key, token, baseUrl, live });

  return {
    pid: child.pid,
    /** Whether it was ended because it did not respond. */
    get wasHung(): boolean {
      return wasHung;
    },
    /** Settles once the bot is loaded, or will never be. */
    started,
    /** Ends one that is not loaded yet, with the reason to report. */
    giveUp,
    /** Sends a message. `onUndelivered` is called if the process can no longer receive it. */
    send,
    /** Registers its commands, as it is the one that answers now; `null` when the process ended meanwhile. */
    register: () => requests.change({ type: 'register' }),
    /** Takes changed files over; `null` when the process ended meanwhile. */
    reload: (files: readonly string[]) => requests.change({ type: 'reload', files }),
    /** Stops waiting for a change that is being taken over: a new process is wanted instead. */
    giveUpReload: () => requests.giveUpChanges(),
    /** Asks what the bot keeps; `null` when the process does not answer within 5 s, or ended. */
    ask: (question: SimBotQuestion) => requests.answer(question),
    /** Ends it: in good order, or by force when it is not loaded yet or that takes too long. */
    async stop(): Promise<void> {
      stopping = true;
      heartbeat?.stop();
      if (loaded) send({ type: 'stop' });
      else kill();
      const timers = [
        clock.setTimeout(() => isQuiet && kill(), SILENT_STOP_MS),
        clock.setTimeout(kill, STOP_MS),
      ];
      await ended;
      for (const timer of timers) timer.cancel();
    },
    /** Resolves when the process is gone. */
    ended,
  };
}

/** Returns whether a message carries the key. Both ends are of one version: its type is what it says. */
const isKeyed = (message: unknown, key: string): message is Keyed =>
  isObject(message) && 'key' in message && message.key === key;
