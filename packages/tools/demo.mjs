/**
 * `npm run demo`: starts the example bot and its chat page from a fresh clone. `-- --exit` exits after the
 * answers, `-- --port N` sets the port of the page.
 */
import './require-node.mjs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runAsUser } from './demo/demo-user.mjs';
import { startDev } from './demo/dev-process.mjs';
import { root } from './repository.mjs';
import { setUp } from './setup.mjs';

const lines = ['/hello', '/roll 20'];
const withinSeconds = 15;

function readArguments() {
  try {
    const { values } = parseArgs({
      options: { exit: { type: 'boolean', default: false }, port: { type: 'string' } },
    });
    return values;
  } catch (error) {
    console.error(`${error.message}\nUsage: npm run demo -- [--exit] [--port <number>]`);
    return process.exit(1);
  }
}

/** Buffers the output of the dev server until the bot has answered; it is shown if the bot does not answer. */
function createOutput() {
  /** @type {string[] | undefined} */
  let buffered = [];
  /** @param {string} [title] */
  const release = (title) => {
    if (title !== undefined && buffered?.length) console.error(`\n${title}`);
    for (const line of buffered ?? []) console.log(line);
    buffered = undefined;
  };
  const print = (line) => (buffered === undefined ? console.log(line) : buffered.push(line));
  return { print, release };
}

const { exit, port } = readArguments();
await setUp();

const bin = join(root, 'packages/virgule/dist/bin/virgule.js');
const command = [process.execPath, bin, 'dev', '--json', ...(port ? ['--port', port] : [])];
const output = createOutput();
const dev = startDev({ command, cwd: join(root, 'templates/basic'), print: output.print });

let interrupted = false;
const interrupt = async () => {
  if (interrupted) process.exit(130);
  interrupted = true;
  await dev.close();
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void interrupt());

const endedEarly = dev.ended.then((how) => {
  throw new Error(`virgule dev exited (${how}) before the bot answered`);
});

function timeout() {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(new Error(`virgule dev was not ready within ${withinSeconds} s`));
    setTimeout(fail, withinSeconds * 1000).unref();
  });
}

async function showAnswers() {
  const ready = await Promise.race([dev.ready, endedEarly, timeout()]);
  console.log(`\nPlayground: ${ready.page}\n`);
  const print = (line) => console.log(line);
  await Promise.race([runAsUser(ready, { lines, withinSeconds, print }), endedEarly]);
}

async function stayUp() {
  output.release();
  console.log(
    '\nThe bot is running. Edit templates/basic/commands/hello.ts and type /hello in the page.',
  );
  console.log('Press Ctrl+C to stop it.\n');
  const how = await dev.ended;
  throw new Error(`virgule dev exited (${how})`);
}

try {
  await showAnswers();
  if (!exit) await stayUp();
} catch (error) {
  // An interrupt exits the process itself when the dev server has exited.
  if (!interrupted) {
    console.error(`\n${error.message}`);
    output.release('Output of virgule dev:');
    process.exitCode = 1;
  }
}
await dev.close();
