import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { settlesWithin, systemClock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { TransportName } from '../transport/load-transport.js';
import type { Host, HostReply, HostRequest, Platform } from './message.js';

/** A process whose native code hangs, or that is stopped, must not hold the bot: in milliseconds. */
const END_TIMEOUT_MS = 2_000;

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
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string): void => {
      resolve();
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
  };
  send({ type: 'platform', platform });
  return {
    send,
    onReply: (listener) => void child.on('message', (reply) => listener(reply as HostReply)),
    onGone: (listener) => void gone.push(listener),
    async close() {
      isClosing = true;
      if (child.connected) child.disconnect();
      if (!(await settlesWithin(ended, END_TIMEOUT_MS, systemClock))) child.kill('SIGKILL');
      await ended;
    },
  };
}
