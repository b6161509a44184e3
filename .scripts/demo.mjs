/**
 * `npm run demo`: from a fresh clone to an answering bot and its chat page. `-- --exit` ends after
 * the answers, `-- --port N` picks the page's port.
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
    console.error(`${error.message}\nUse: npm run demo -- [--exit] [--port <number>]`);
    return process.exit(1);
  }
}

/** What the dev server says is kept until the answers are there, and shown if they do not come. */
function createOutput() {
  /** @type {string[] | undefined} */
  let kept = [];
  /** @param {string} [title] */
  const release = (title) => {
    if (title !== undefined && kept?.length) console.error(`\n${title}`);
    for (const line of kept ?? []) console.log(line);
    kept = undefined;
  };
  const print = (line) => (kept === undefined ? console.log(line) : kept.push(line));
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
  throw new Error(`virgule dev ended (${how}) before the bot answered`);
});

function tooLate() {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(new Error(`virgule dev was not ready within ${withinSeconds} s`));
    setTimeout(fail, withinSeconds * 1000).unref();
  });
}

async function showAnswers() {
  const ready = await Promise.race([dev.ready, endedEarly, tooLate()]);
  console.log(`\nPlayground: ${ready.page}\n`);
  const print = (line) => console.log(line);
  await Promise.race([runAsUser(ready, { lines, withinSeconds, print }), endedEarly]);
}

async function stayUp() {
  output.release();
  console.log(
    '\nThe bot is up. Edit templates/basic/commands/hello.ts and say /hello in the page.',
  );
  console.log('Ctrl+C stops it.\n');
  const how = await dev.ended;
  throw new Error(`virgule dev ended (${how})`);
}

try {
  await showAnswers();
  if (!exit) await stayUp();
} catch (error) {
  // An interrupt ends the process itself, once the dev server is down.
  if (!interrupted) {
    console.error(`\n${error.message}`);
    output.release('What virgule dev said:');
    process.exitCode = 1;
  }
}
await dev.close();
