import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { settlesWithin, systemClock, type Timer } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { TransportName } from '../transport/load-transport.js';
import type { Host, HostReply, HostRequest, Platform } from './message.js';

/** A process whose native code hangs, or that is stopped, must not hold the bot: in milliseconds. */
const END_TIMEOUT_MS = 2_000;
/** A connection is established or lost within 10 seconds. One that hangs would hold the stream, with its ingress open. */
const CONNECT_TIMEOUT_MS = 20_000;
/** Time to receive its messages, in milliseconds, after the event loop of the bot was blocked. */
const RECEIVE_MS = 100;

export interface ChildHostOptions {
  readonly platform: Platform;
  readonly transport?: TransportName | undefined;
  readonly log: Log;
}

/** Starts the host as a process. Secrets reach it through its channel: arguments and environment are readable by others. */
export function createChildHost({ platform, transport, log }: ChildHostOptions): Host {
  const program = fileURLToPath(new URL('./bin/voice-host.js', import.meta.url));
  const child = fork(program, transport ? [transport] : [], {
    serialization: 'advanced',
    // Options of the bot, such as --inspect, are not for it.
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let isClosing = false;
  const gone: ((reason: string) => void)[] = [];
  let watch: Timer | undefined;
  const stopWatch = (): void => {
    watch?.cancel();
    watch = undefined;
  };
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string): void => {
      resolve();
      stopWatch();
      if (isClosing) return;
      isClosing = true;
      log.warn({ reason }, 'the process of voice streams ended');
      for (const listener of gone) listener(reason);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(`its process ended with ${signal ?? `code ${code}`}`));
  });
  const send = (request: HostRequest): void => {
    // It may just have ended: `exit` follows.
    if (child.connected) child.send(request, () => {});
    if (request.type !== 'connect') return;
    watch ??= systemClock.setTimeout(() => {
      watch = systemClock.setTimeout(() => child.kill('SIGKILL'), RECEIVE_MS);
    }, CONNECT_TIMEOUT_MS);
  };
  // Any of them: it does not hang.
  child.on('message', stopWatch);
  send({ type: 'platform', platform });
  return {
    send,
    onReply: (listener) => void child.on('message', (reply) => listener(reply as HostReply)),
    onGone: (listener) => void gone.push(listener),
    async close() {
      isClosing = true;
      stopWatch();
      if (child.connected) child.disconnect();
      if (!(await settlesWithin(ended, END_TIMEOUT_MS, systemClock))) child.kill('SIGKILL');
      await ended;
    },
  };
}
