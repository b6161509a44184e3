import type { SourceMap } from 'node:module';
import { Worker } from 'node:worker_threads';
import { formatDuration } from '../text/duration.js';
import type { Manifest } from '../scan/scan.js';

/** Time between two ticks of the thread, and between two heartbeats of the main one, in milliseconds. */
const TICK_MS = 1_000;

/** @defaultValue of the setting `watchdog`, in milliseconds. */
const DEFAULT_LIMIT_MS = 30_000;

export interface WatchdogOptions {
  /** Time after which a blocked event loop ends the process, in milliseconds; `false` lets it run. @defaultValue 30 s */
  readonly limitMs: number | false | undefined;
  readonly manifest: Manifest;
  /** Whether the log has lines of this kind. */
  readonly isLogged: boolean;
}

/** What the thread receives. */
interface WatchdogData {
  /** A count of heartbeats of the main thread. */
  readonly beats: Int32Array;
  readonly tickMs: number;
  readonly limitTicks: number;
  readonly limit: string;
  /** The names of commands, by file. */
  readonly commands: Readonly<Record<string, string>>;
  readonly isLogged: boolean;
}

/** How long the main thread has been busy without a heartbeat. */
export interface Stall {
  readonly beat: number;
  readonly ticks: number;
}

/**
 * Counts a tick in which the main thread was busy and had no heartbeat. The thread's own ticks are counted, not time: a
 * process that is suspended has none. One that uses no CPU waits, for a debugger or for the system.
 */
export function countStall(
  { beat, ticks }: Stall,
  tick: { readonly beat: number; readonly cpuMs: number },
): Stall {
  if (tick.beat !== beat) return { beat: tick.beat, ticks: 0 };
  // A loop may get little of a core that it shares.
  return { beat, ticks: tick.cpuMs < 50 ? ticks : ticks + 1 };
}

/**
 * Ends the process when its event loop is blocked, such as by an endless loop in a handler: neither a timer nor a signal
 * gets through, so only another thread can. Its last line names the command.
 */
export function startWatchdog({ limitMs, manifest, isLogged }: WatchdogOptions): void {
  if (limitMs === false) return;
  const ms = limitMs ?? DEFAULT_LIMIT_MS;
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const workerData: WatchdogData = {
    beats,
    tickMs: TICK_MS,
    limitTicks: Math.ceil(ms / TICK_MS),
    limit: formatDuration(ms),
    commands: Object.fromEntries(manifest.commands.map(({ file, name }) => [file, name])),
    isLogged,
  };
  const worker = new Worker(CODE, {
    eval: true,
    workerData,
    execArgv: [],
    env: {},
    // It writes to the descriptor itself. As streams of this thread, they cost 3 ms of CPU at the start.
    stdout: true,
    stderr: true,
    // With limits, the thread needs less memory; in the end it reads the source map of the bot, which may be large.
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 1 },
  });
  worker.on('error', () => {});
  worker.unref();
  setInterval(() => Atomics.add(beats, 0, 1), TICK_MS).unref();
}

/** A built bot is one file: the thread gets its code as a string. The functions in it use nothing outside of them. */
const CODE = `(${watchMainThread.toString()})(${countStall.toString()});`;

function watchMainThread(count: typeof countStall): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const { readFileSync, write } = process.getBuiltinModule('node:fs');
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInThisContext } = process.getBuiltinModule('node:vm');
  const { beats, tickMs, limitTicks, limit, commands, isLogged } = workerData as WatchdogData;
  let stall: Stall = { beat: 0, ticks: 0 };
  let usedMs = cpuOfMainMs();
  let isChecking = false;
  const maps = new Map<string, SourceMap>();

  setInterval(() => {
    const beforeMs = usedMs;
    usedMs = cpuOfMainMs();
    stall = count(stall, { beat: Atomics.load(beats, 0), cpuMs: usedMs - beforeMs });
    if (stall.ticks >= limitTicks && !isChecking) check();
  }, tickMs);

  /** Returns the CPU time of the main thread; of all threads where the system does not have that. */
  function cpuOfMainMs(): number {
    try {
      const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(
        ' ',
      );
      return Number(nanoseconds) / 1e6;
    } catch {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    }
  }

  /** Finds out what runs, unless a debugger is connected. Only the inspector gets into a loop. */
  function check(): void {
    isChecking = true;
    const { Session } = process.getBuiltinModule('node:inspector');
    const main = new Session();
    main.connectToMainThread();
    const scripts = new Map<string, string>();
    // Native code lets nothing in.
    const timer = setTimeout(end, 2 * tickMs);
    const resume = (): void => {
      clearTimeout(timer);
      main.disconnect();
      stall = { beat: Atomics.load(beats, 0), ticks: 0 };
      isChecking = false;
    };
    main.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => scripts.set(scriptId, url));
    main.on('Debugger.paused', ({ params: { callFrames } }) => {
      clearTimeout(timer);
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

  interface Place {
    readonly file: string;
    readonly line: number;
  }

  /** Returns where a place of the built bot is in its sources; nothing for one in Node.js or a package. */
  function placeOf(url: string, line: number, column: number): Place[] {
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

  function end(place?: Place): void {
    const name = place && commands[place.file];
    const at = place && `${place.file}:${place.line}`;
    const what = name === undefined ? at : `/${name} (${at})`;
    const where = what === undefined ? '' : `, most likely by ${what}`;
    const msg = `the event loop was blocked for ${limit}${where}; the process is ended by the watchdog`;
    const time = Date.now();
    const line = JSON.stringify({ level: 50, time, command: name, file: place?.file, msg });
    const kill = (): void => {
      process.kill(process.pid, 'SIGKILL');
      // The first process of a container survives signals from inside it, but no fault of its own.
      setFlagsFromString('--allow-natives-syntax');
      runInThisContext('%SystemBreak()');
    };
    if (isLogged) write(1, `${line}\n`, kill);
    else kill();
    // The log has no reader.
    setTimeout(kill, tickMs);
  }
}
