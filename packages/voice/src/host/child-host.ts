import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { settlesWithin, systemClock, type Timer } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { TransportName } from '../transport/transport.js';
import {
  PING,
  PONG,
  type Host,
  type HostListener,
  type HostReply,
  type HostRequest,
  type Platform,
} from './message.js';

/** Time limit for the process to end, in milliseconds: a hanging or stopped process must not hold the bot. */
const END_TIMEOUT_MS = 2_000;
/** Time between two pings of the process, in milliseconds. The streams of a hanging process would never end. */
const WATCH_MS = 5_000;
/** Pings without an answer after which the process hangs: two, because the event loop of the bot may be blocked as well. */
const MAX_UNANSWERED = 2;

/** Starts the host as a process. Secrets reach it through its channel: arguments and environment are readable by others. */
export function createChildHost(
  platform: Platform,
  transport: TransportName | undefined,
  log: Log,
  listener: HostListener,
): Host {
  const program = fileURLToPath(new URL('./bin/voice-host.js', import.meta.url));
  const child = fork(program, transport ? [transport] : [], {
    serialization: 'advanced',
    // Options of the bot, such as --inspect, do not apply to the process.
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let isClosing = false;
  let unanswered = 0;
  let timer: Timer;
  const watch = (): void => {
    timer = systemClock.setTimeout(() => {
      if (unanswered === MAX_UNANSWERED) return void child.kill('SIGKILL');
      unanswered += 1;
      send(PING);
      watch();
    }, WATCH_MS);
  };
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string): void => {
      resolve();
      timer.cancel();
      if (isClosing) return;
      isClosing = true;
      log.warn({ reason }, 'the process of voice streams ended');
      listener.gone(reason);
    };
    child.on('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(`its process ended with ${signal ?? `code ${code}`}`));
  });
  const send = (request: HostRequest | typeof PING): void => {
    // The process may just have ended: `exit` follows.
    if (child.connected) child.send(request, () => {});
  };
  child.on('message', (reply) => {
    unanswered = 0;
    if (reply !== PONG) listener.reply(reply as HostReply);
  });
  watch();
  send({ type: 'platform', platform });
  return {
    send,
    async close() {
      isClosing = true;
      timer.cancel();
      if (child.connected) child.disconnect();
      if (!(await settlesWithin(ended, END_TIMEOUT_MS, systemClock))) child.kill('SIGKILL');
      await ended;
    },
  };
}
