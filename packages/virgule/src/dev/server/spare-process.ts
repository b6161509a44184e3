import type { ChildProcess } from 'node:child_process';
import { freemem, platform, totalmem } from 'node:os';
import type { Clock, Timer } from '@virgule/core/clock';
import { forkChild, type ChildEnv } from './fork-child.js';

export interface SpareProcessOptions {
  /** The project's folder. */
  readonly root: string;
  readonly clock: Clock;
  /** @defaultValue a process of its own */
  readonly fork?: (env: ChildEnv) => ChildProcess;
}

/**
 * Keeps one process ready that has loaded everything but the project: half a second that a restart need
 * not wait for.
 */
export type SpareProcess = ReturnType<typeof createSpareProcess>;

/** A spare process takes some 50 MB: too much for a machine with less than this. */
const SPARE_NEEDS_BYTES = 4 * 2 ** 30;

/** The memory of a machine that programs can use, in bytes. */
export interface Memory {
  readonly free: number;
  readonly total: number;
  readonly platform: NodeJS.Platform;
}

/** Returns whether a machine has enough memory for a process that only waits. */
export function hasMemoryForSpare(
  memory: Memory = { free: freemem(), total: totalmem(), platform: platform() },
): boolean {
  // macOS uses all memory for its caches, and reports none of them as free.
  const available = memory.platform === 'darwin' ? memory.total / 2 : memory.free;
  return available >= SPARE_NEEDS_BYTES;
}

/** How long after another process has started a spare one is, in milliseconds: running work comes first. */
export const PREPARE_MS = 1_000;

/** What Node.js and the packages of the framework read when they start: not to be changed later. */
const READ_AT_START = /^(?:(?:NODE|UV|LD|SSL|OPENSSL|LC|WS|UNDICI)_|(?:TZ|LANG)$)/;

export function createSpareProcess(options: SpareProcessOptions) {
  const { root, clock, fork = (env) => forkChild({ root, env }) } = options;
  let ready: { readonly child: ChildProcess; readonly env: ChildEnv } | undefined;
  let timer: Timer | undefined;

  const discard = (): void => {
    timer?.cancel();
    ready?.child.kill('SIGKILL');
    ready = undefined;
  };

  function start(env: ChildEnv): void {
    let child: ChildProcess;
    try {
      child = fork(env);
    } catch {
      // Node.js throws for an environment that is too large. A process that is needed reports it.
      return;
    }
    ready = { child, env };
    process.once('exit', discard);
    const forget = (): void => {
      if (ready?.child === child) ready = undefined;
      process.removeListener('exit', discard);
    };
    child.once('exit', forget);
    // It could not be started. The caller that takes the next one is notified.
    child.once('error', forget);
  }

  return {
    /** Starts a spare process in a moment. */
    prepare(env: ChildEnv): void {
      timer?.cancel();
      if (!ready) timer = clock.setTimeout(() => start(env), PREPARE_MS);
    },
    /** Returns the spare process if it fits this environment, otherwise a new one. */
    take(env: ChildEnv): ChildProcess {
      timer?.cancel();
      const taken = ready;
      ready = undefined;
      if (taken?.child.connected && isSameStart(taken.env, env)) return taken.child;
      taken?.child.kill('SIGKILL');
      return fork(env);
    },
    /** Ends the spare process. */
    discard,
  };
}

/** Returns whether processes that are started with these environments are interchangeable. */
function isSameStart(one: ChildEnv, other: ChildEnv): boolean {
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => one[name] === other[name] || !READ_AT_START.test(name));
}
