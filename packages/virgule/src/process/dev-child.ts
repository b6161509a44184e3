// The bot's process in development. Forked by the dev server, which holds the socket, and steered by
// its messages. Log lines go to standard output as JSON; the dev server prints them.
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { transform } from 'esbuild';
import { formatError } from '@virgule/core/errors';
import { createLog, surviveRejections } from '@virgule/runtime/process';
import { SIGN_EVERY_MS } from '../dev/life-signs.js';
import type { FromChild, ToChild } from '../dev/messages.js';

// The compiler is a process of its own: it starts while the rest is loaded here.
void transform('');
const { startDevBot } = await import('../dev/dev-bot.js');
// Without this, V8 keeps a copy of every module that was ever swapped: 14 MB per 1,000 reloads. Not set
// before: what V8 compiled ahead for the modules of Node.js does not count under other settings.
setFlagsFromString('--no-compilation-cache');

const { VIRGULE_TOKEN = '', VIRGULE_BASE_URL = '', LOG_LEVEL } = process.env;
const { VIRGULE_LIVE = '', VIRGULE_INSPECT = '' } = process.env;
let sent = Promise.resolve();
const send = (message: FromChild): void => {
  sent = new Promise((resolve) => process.send?.(message, () => resolve()));
};
// Signals from the terminal reach this process too; the dev server decides when it ends.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));

// Messages that come while the bot starts wait for it.
let receive: (message: ToChild) => void;
const waiting: ToChild[] = [];
receive = (message) => void waiting.push(message);
process.on('message', (message) => receive(message as ToChild));

try {
  const bot = await startDevBot({
    root: process.cwd(),
    token: VIRGULE_TOKEN,
    baseUrl: VIRGULE_BASE_URL,
    live: VIRGULE_LIVE !== '',
    inspect: VIRGULE_INSPECT !== '',
    env: process.env,
    log: createLog({ level: LOG_LEVEL }),
    send,
  });
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
    setInterval(() => {
      const { used_heap_size: heapBytes, heap_size_limit: heapLimitBytes } = getHeapStatistics();
      send({ type: 'alive', heapBytes, heapLimitBytes });
    }, SIGN_EVERY_MS).unref();
  }
} catch (error) {
  process.stderr.write(`${formatError(error)}\n`);
  process.exit(1);
}
