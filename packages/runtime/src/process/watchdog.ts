import type { SourceMap } from 'node:module';
import { Worker } from 'node:worker_threads';
import { formatDuration } from '../text/duration.js';
import type { Manifest } from '../scan/scan.js';

/** Interval of ticks of the watchdog thread, and of heartbeats of the main thread, in milliseconds. */
const TICK_MS = 1_000;

const DEFAULT_LIMIT_MS = 30_000;

export interface WatchdogOptions {
  /** Time after which a blocked event loop ends the process, in milliseconds; `false` for no watchdog. @defaultValue 30 s */
  readonly limitMs: number | false | undefined;
  readonly manifest: Manifest;
  /** `true` if the log has lines of level `error`. */
  readonly isLogged: boolean;
}

/** Number of ticks in which the main thread was busy since heartbeat number `beat`. */
export interface Stall {
  readonly beat: number;
  readonly ticks: number;
}

/**
 * Counts a tick in which the main thread was busy and had no heartbeat. Counts ticks of the watchdog thread instead of
 * time, because a suspended process has no ticks. A main thread that uses no CPU waits, for a debugger or for the system.
 */
export function countStall(
  { beat, ticks }: Stall,
  tick: { readonly beat: number; readonly cpuMs: number },
): Stall {
  if (tick.beat !== beat) return { beat: tick.beat, ticks: 0 };
  // An endless loop may get only a small share of a core.
  return { beat, ticks: tick.cpuMs < 50 ? ticks : ticks + 1 };
}

/**
 * Ends the process when its event loop is blocked, such as by an endless loop in a handler. Only another thread can do
 * that: timers and signal handlers do not run. The last line in the log names the command.
 */
export function startWatchdog({ limitMs, manifest, isLogged }: WatchdogOptions): void {
  if (limitMs === false) return;
  const workerData = dataOf(limitMs ?? DEFAULT_LIMIT_MS, manifest, isLogged);
  const worker = new Worker(CODE, {
    eval: true,
    workerData,
    execArgv: [],
    env: {},
    // The thread writes to the descriptor itself. Streams to this thread would cost 3 ms of CPU at the start.
    stdout: true,
    stderr: true,
    // The limits save memory. The thread may have to read the source map of the bot, which may be large.
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 1 },
  });
  worker.on('error', () => {});
  worker.unref();
  setInterval(() => Atomics.add(workerData.beats, 0, 1), TICK_MS).unref();
}

/** Returns the data of the watchdog thread. */
const dataOf = (limitMs: number, { commands }: Manifest, isLogged: boolean) => ({
  /** Number of heartbeats of the main thread. */
  beats: new Int32Array(new SharedArrayBuffer(4)),
  tickMs: TICK_MS,
  // The first tick without a heartbeat may follow the last heartbeat at once.
  limitTicks: Math.ceil(limitMs / TICK_MS) + 1,
  limit: formatDuration(limitMs),
  commands: Object.fromEntries(commands.map(({ file, name }) => [file, name])),
  isLogged,
});

/** Code of the thread as a string, because a built bot is one file. Its functions use nothing from this module. */
const CODE = `(${watchMainThread.toString()})(${countStall.toString()});`;

function watchMainThread(count: typeof countStall): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const { readFileSync, write } = process.getBuiltinModule('node:fs');
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInThisContext } = process.getBuiltinModule('node:vm');
  const { beats, tickMs, limitTicks, limit, commands, isLogged } = workerData as ReturnType<
    typeof dataOf
  >;
  let stall: Stall = { beat: 0, ticks: 0 };
  let usedMs = cpuOfMainMs();
  /** CPU time of the main thread at the start of a check. */
  let checkedAtMs: number | undefined;
  const maps = new Map<string, SourceMap>();

  setInterval(() => {
    const beforeMs = usedMs;
    usedMs = cpuOfMainMs();
    stall = count(stall, { beat: Atomics.load(beats, 0), cpuMs: usedMs - beforeMs });
    if (checkedAtMs === undefined) {
      if (stall.ticks >= limitTicks) check();
    } else if (usedMs - checkedAtMs >= 2 * tickMs) end();
  }, tickMs);

  /** Returns the CPU time of the main thread in milliseconds; of all threads if the system does not report the main thread. */
  function cpuOfMainMs(): number {
    try {
      // The first number of the file, in nanoseconds.
      const figures = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8');
      return Number.parseInt(figures, 10) / 1e6;
    } catch {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    }
  }

  /**
   * Finds the running code, unless a debugger is connected. Only the inspector can interrupt an endless loop. It cannot interrupt
   * native code: the process then ends when the main thread has used as much CPU as two ticks. On a busy machine, an interrupt
   * may take several times as long.
   */
  function check(): void {
    checkedAtMs = usedMs;
    const { Session } = process.getBuiltinModule('node:inspector');
    const main = new Session();
    main.connectToMainThread();
    const scripts = new Map<string, string>();
    const resume = (): void => {
      main.disconnect();
      stall = { beat: Atomics.load(beats, 0), ticks: 0 };
      checkedAtMs = undefined;
    };
    main.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => scripts.set(scriptId, url));
    main.on('Debugger.paused', ({ params: { callFrames } }) => {
      checkedAtMs = Infinity;
      if (Atomics.load(beats, 0) !== stall.beat) return resume();
      const places = callFrames.flatMap(({ location: { scriptId, lineNumber, columnNumber } }) =>
        placeOf(scripts.get(scriptId) ?? '', lineNumber, columnNumber ?? 0),
      );
      end(places.find(({ file }) => file in commands) ?? places[0]);
    });
    const expression = `process.getBuiltinModule('node:inspector').url()`;
    main.post('Runtime.evaluate', { expression }, (_, reply) => {
      if (reply?.result?.value !== undefined) return resume();
      main.post('Debugger.enable');
      main.post('Debugger.pause');
    });
  }

  /** Returns the place in the sources for a place in the built bot; an empty array for a place in Node.js or a package. */
  function placeOf(url: string, line: number, column: number) {
    if (!url.startsWith('file:')) return [];
    try {
      const { originalSource, originalLine } = Object(mapOf(url).findEntry(line, column));
      const file = String(originalSource).replace(/^(\.\.\/)+/, '');
      return file.includes('node_modules/') ? [] : [{ file, line: Number(originalLine) + 1 }];
    } catch {
      return [{ file: url, line: line + 1 }];
    }
  }

  function mapOf(url: string): SourceMap {
    const { SourceMap } = process.getBuiltinModule('node:module');
    const map =
      maps.get(url) ?? new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')));
    maps.set(url, map);
    return map;
  }

  function end(place?: ReturnType<typeof placeOf>[number]): void {
    const name = place && commands[place.file];
    const at = place && `${place.file}:${place.line}`;
    const what = name === undefined ? at : `/${name} (${at})`;
    const where = what === undefined ? '' : `, most likely by ${what}`;
    const msg = `the event loop was blocked for ${limit}${where}; the process is ended by the watchdog`;
    const time = Date.now();
    const line = JSON.stringify({ level: 50, time, command: name, file: place?.file, msg });
    const kill = (): void => {
      process.kill(process.pid, 'SIGKILL');
      // The first process of a container ignores signals from the container, but not a fault in its own code.
      setFlagsFromString('--allow-natives-syntax');
      runInThisContext('%SystemBreak()');
    };
    if (isLogged) write(1, `${line}\n`, kill);
    else kill();
    // Ends the process even if the log has no reader.
    setTimeout(kill, tickMs);
  }
}
