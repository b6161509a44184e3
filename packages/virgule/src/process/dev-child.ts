// Process of the bot in development, the child. The server starts the process, holds the socket, and sends it
// messages. Log entries go to standard output as JSON behind the key of this process. They keep their order among
// other output, and none is lost when the process ends; the dev server prints them.
import { setFlagsFromString } from 'node:v8';
import { transform } from '../loader/esbuild.js';
import { formatError } from '@virgule/core/errors';
import { createRedactor } from '@virgule/core/log';
import { EXIT_IN_USE, saysInUse } from '../dev/in-use.js';
import type { Begin, FromChild, Keyed, ToChild } from '../dev/ipc.js';
import { withCodeFrames } from '../loader/code-frame.js';
import { setStackStyle } from '../loader/stack-traces.js';
import { endWithParent } from './end-with-parent.js';
import { reportUncaught } from './report-uncaught.js';

/** Interval of the heartbeats, in milliseconds. */
const HEARTBEAT_EVERY_MS = 1_000;

// The limit of `forkChild` is in effect. V8 uses its precompiled code of Node.js modules only with its usual flags.
setFlagsFromString('--max-semi-space-size=0');
// Workers of the bot refuse this flag.
process.execArgv = process.execArgv.filter((flag) => !flag.startsWith('--max-semi-space-size='));
// Ignored here: signals from the terminal reach this process too, but the dev server decides when it ends.
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});
process.on('disconnect', () => process.exit(0));
// Queues messages that arrive before the bot can receive them.
const waiting: ToChild[] = [];
let receive = (message: ToChild): void => void waiting.push(message);
process.on('message', (message) => receive(message as ToChild));
endWithParent();
// Starts the compiler, a separate process, while other modules are loaded here.
void transform('');
let key = '';
let sent = Promise.resolve();
const send = (message: FromChild): void => {
  sent = new Promise((resolve) => {
    const keyed: Keyed = { key, message };
    process.send?.(keyed, () => resolve());
  });
};
// Makes output blocking, as on a terminal: printed text is out before the next line of code runs, even
// `process.exit()`. Node.js offers no public way to make the stream of a pipe wait for its reader.
for (const { _handle: handle } of [process.stdout, process.stderr] as readonly {
  readonly _handle?: { readonly setBlocking?: (isBlocking: boolean) => unknown };
}[])
  handle?.setBlocking?.(true);

const { startDevBot } = await import('../dev/child/dev-bot.js');
const { createLog, surviveRejections } = await import('@virgule/runtime/process');
const { optimizeLate, optimizeWasmLate, secretsOf } = await import('@virgule/runtime/project');
// Without this flag, V8 keeps a copy of every module that was ever swapped: 14 MB per 1,000 reloads. Not set earlier,
// because V8 does not use its precompiled code of Node.js modules under other flags.
setFlagsFromString('--no-compilation-cache');
optimizeWasmLate();
optimizeLate();

/** Replaces the environment by the bot's: this process was started with settings for the compiler. */
async function begun(): Promise<Begin> {
  while (waiting.length === 0) await new Promise((resolve) => process.once('message', resolve));
  const first = waiting.shift();
  if (first?.type !== 'begin') throw new Error('The first message was not of type "begin".');
  ({ key } = first);
  for (const name of Object.keys(process.env)) if (!(name in first.env)) delete process.env[name];
  Object.assign(process.env, first.env);
  return first;
}

// The limit applies to frames of the project, because frames of packages are counted, not listed.
Error.stackTraceLimit = 30;
const redact = createRedactor();
let report = (error: unknown, _message: string): void =>
  void process.stderr.write(`${formatError(error, { redact })}\n`);
reportUncaught(process, (error, message) => {
  report(error, message);
  return saysInUse(message) ? EXIT_IN_USE : 1;
});
try {
  const begin = await begun();
  const { env, token } = begin;
  // Applies until the settings are read, which declare the secrets.
  redact.set([...secretsOf(env), token]);
  const { LOG_LEVEL } = env;
  const folds = !['debug', 'trace'].includes(LOG_LEVEL ?? '');
  setStackStyle({ relativeTo: process.cwd(), folds });
  const plain = createLog({ level: LOG_LEVEL || undefined, prefix: key, redact });
  const log = withCodeFrames(plain, process.cwd());
  report = (error, message) => log.error({ err: error }, message);
  const bot = await startDevBot({ ...begin, root: process.cwd(), log, redact, send });
  if (!bot) {
    await sent;
    process.exit(1);
  } else {
    surviveRejections((reason) => bot.unhandledRejection(reason));
    receive = (message) => {
      if (message.type === 'stop') void bot.close().then(() => process.exit(0));
      else bot.receive(message);
    };
    waiting.forEach(receive);
    setInterval(() => send({ type: 'alive' }), HEARTBEAT_EVERY_MS).unref();
  }
} catch (error) {
  process.stderr.write(`${formatError(error, { redact })}\n`);
  process.exit(1);
}
