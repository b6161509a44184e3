/**
 * Tests the packages as they would be published: packs every package, and creates a bot with the packed create-virgule
 * outside this repository, with the packed packages. The bot is installed, tested, type-checked and
 * built, and its build answers commands in a folder without anything else.
 *
 * `--all` also checks the bots of the other templates, which share an installation. `--keep` keeps the folder.
 * `--context=FOLDER` only creates the bot, in a folder from which its image can be built.
 */
import './require-node.mjs';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runAsUser } from './demo/demo-user.mjs';
import { checkContents } from './pack-check/check-contents.mjs';
import { countPackages } from './pack-check/count-packages.mjs';
import { expect, run } from './pack-check/run-or-throw.mjs';
import { inTime, startProgram, stopPrograms } from './pack-check/start-program.mjs';
import { pnpm } from './pnpm.mjs';
import { readJson, tool, workspaceFolders } from './repository.mjs';

/**
 * Lines that a user types to a bot from each template, and the answer of `virgule run` to the first line.
 *
 * @type {Record<string, { lines: string[], says: string, files?: string[], packages?: number, megabytes?: number }>}
 */
const templates = {
  basic: { lines: ['/hello', '/roll 20'], says: 'Hello!' },
  javascript: { lines: ['/hello', '/roll 20'], says: 'Hello!' },
  full: {
    lines: ['/hello', '/help'],
    says: 'Hello',
    // With SQLite for Node.js 20.
    packages: 35,
    megabytes: 50,
  },
  // No template: `basic` without its samples.
  bare: { lines: ['/hello'], says: 'Hello!' },
  assistant: {
    lines: ['/remember tea is at four', '/facts'],
    says: 'Remembered',
    // With the AI SDK, and SQLite for Node.js 20.
    packages: 45,
    megabytes: 65,
  },
  music: {
    lines: ['/play morning', '/now'],
    says: 'Playing morning',
    // Folders that its Dockerfile copies next to the build.
    files: ['songs'],
    // The packages that send audio are included.
    packages: 35,
    megabytes: 50,
  },
  reminders: {
    lines: ['/remind 1s tea', '/reminders'],
    says: 'I will remind you',
    // With SQLite for Node.js 20.
    packages: 35,
    megabytes: 50,
  },
};
const template = 'basic';
const others = process.argv.includes('--all')
  ? Object.keys(templates).filter((name) => name !== template)
  : [];
const withinSeconds = 20;
const work = realpathSync(mkdtempSync(join(tmpdir(), 'virgule-pack-')));
const folders = {
  tarballs: join(work, 'tarballs'),
  creator: join(work, 'creator'),
  bot: join(work, 'home/my-bot'),
  bots: join(work, 'bots'),
  bare: join(work, 'bare'),
};

/** @type {{ name: string, result: string, seconds: number }[]} */
const table = [];
/** @type {string[]} */
const figures = [];

function printTable() {
  const width = Math.max(...table.map(({ name }) => name.length));
  for (const { name, result, seconds } of table)
    console.log(`${result.padEnd(6)}  ${name.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s`);
  console.log(`\n${figures.join('\n')}`);
}

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} run
 */
async function step(name, run) {
  const startedAt = performance.now();
  let result = 'failed';
  try {
    const value = await run();
    result = 'passed';
    return value;
  } catch (error) {
    throw new Error(`${name}: ${error.message}`, { cause: error });
  } finally {
    table.push({ name, result, seconds: (performance.now() - startedAt) / 1000 });
  }
}

/** Packs every published package. Resolves with the path of each tarball by package name. */
async function pack() {
  /** @type {Record<string, string>} */
  const tarballs = {};
  for (const folder of workspaceFolders()) {
    const { name, version, private: isPrivate } = readJson(join(folder, 'package.json'));
    if (isPrivate) continue;
    expect(existsSync(join(folder, 'dist')), `${folder} is not built; run "npm run build"`);
    const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
    tarballs[name] = join(folders.tarballs, file);
  }
  const filters = Object.keys(tarballs).flatMap((name) => ['--filter', name]);
  await run([...pnpm(), '-r', ...filters, 'pack', '--pack-destination', folders.tarballs]);
  return tarballs;
}

async function installCreator(tarballs) {
  await mkdir(folders.creator, { recursive: true });
  await writeFile(join(folders.creator, 'package.json'), '{ "private": true }\n');
  await npm(folders.creator, 'install', tarballs['create-virgule']);
  const installed = readdirSync(join(folders.creator, 'node_modules'));
  const others = installed.filter((name) => !name.startsWith('.') && name !== 'create-virgule');
  expect(others.length === 0, `create-virgule installs packages: ${others.join(', ')}`);
}

/** Creates a bot that depends on the tarballs of our packages. */
async function scaffold(bot, from, tarballs) {
  await mkdir(join(bot, '..'), { recursive: true });
  const bin = join(folders.creator, 'node_modules/.bin/create-virgule');
  const chosen = from === 'bare' ? ['--bare'] : ['--template', from];
  const args = [basename(bot), ...chosen, '--pm', 'npm', '--yes', '--no-install'];
  await run([bin, ...args], { cwd: join(bot, '..') });
  const file = join(bot, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  expect(!JSON.stringify(manifest).includes('workspace:'), 'the bot has a "workspace:" version');
  const { dependencies } = manifest;
  for (const [name, path] of Object.entries(tarballs))
    if (name in dependencies) dependencies[name] = `file:${path}`;
  manifest.overrides = overridesFor(dependencies, tarballs);
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Returns what makes npm install the tarballs of our packages that others depend on. */
const overridesFor = (dependencies, tarballs) =>
  Object.fromEntries(
    Object.entries(tarballs)
      .filter(([name]) => name.startsWith('@virgule/') && !(name in dependencies))
      .map(([name, path]) => [name, `file:${path}`]),
  );

/** Creates a bot from each of the other templates, and installs what all of them need. */
async function installOthers(tarballs) {
  for (const name of others) await scaffold(join(folders.bots, name), name, tarballs);
  const overrides = overridesFor({ '@virgule/voice': '' }, tarballs);
  const manifest = { private: true, workspaces: others, overrides };
  await writeFile(join(folders.bots, 'package.json'), JSON.stringify(manifest));
  await npm(folders.bots, 'install', '--prefer-offline');
}

const npm = (cwd, command, ...args) =>
  run(['npm', command, ...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd });

/** Starts the simulator, whose first line contains its URLs. */
async function startSimulator(command, cwd) {
  const simulator = startProgram(command, { cwd });
  const firstLine = Promise.race([simulator.firstLine, simulator.endedEarly]);
  const line = await inTime(firstLine, withinSeconds, 'the simulator printed no line');
  const addresses = JSON.parse(line);
  for (const name of ['page', 'baseUrl', 'gatewayUrl', 'token', 'userToken'])
    expect(typeof addresses[name] === 'string', `the first line of the simulator lacks ${name}`);
  const { ok, status, headers } = await fetch(addresses.page);
  const type = headers.get('content-type') ?? '';
  expect(ok && type.startsWith('text/html'), `the page responded with ${status} ${type}`);
  return { ...simulator, ...addresses };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Waits until a bot is connected: commands that a user runs before that are not answered. */
async function connected({ baseUrl }) {
  const deadlineAt = performance.now() + withinSeconds * 1000;
  while (performance.now() < deadlineAt) {
    const response = await fetch(`${baseUrl}/_sim/state`);
    const { gateway } = await response.json();
    if (gateway.connected) return;
    await sleep(50);
  }
  throw new Error(`the bot did not connect within ${withinSeconds} s`);
}

/** Deploys a built bot to a simulator, and runs its build in a bare folder until it has answered. */
async function answer(bot, { virgule, lines, files = [] }) {
  rmSync(folders.bare, { recursive: true, force: true });
  for (const name of ['dist', ...files])
    await cp(join(bot, name), join(folders.bare, name), { recursive: true });
  // Packages that cannot be bundled.
  await npm(folders.bare, 'install', '--omit=dev', '--prefix', 'dist');
  const simulator = await startSimulator([virgule, 'simulator', '--port', '0', '--json'], bot);
  const { token, userToken, baseUrl, gatewayUrl } = simulator;
  const env = { BOT_TOKEN: token, BOT_BASE_URL: baseUrl, BOT_GATEWAY_URL: gatewayUrl };
  await run([virgule, 'deploy', '--yes'], { cwd: bot, env });
  const port = String(await freePort());
  const program = startProgram([process.execPath, 'dist/bot.mjs'], {
    cwd: folders.bare,
    env: { ...env, NODE_ENV: 'production', BOT_HEALTH_PORT: port },
  });
  await Promise.race([connected(simulator), program.endedEarly, simulator.endedEarly]);
  const { ok, status } = await fetch(`http://127.0.0.1:${port}/healthz`);
  expect(ok, `/healthz responded with ${status}`);
  await Promise.race([
    runAsUser(simulator, { lines, withinSeconds, print: (line) => console.log(line) }),
    program.endedEarly,
    simulator.endedEarly,
  ]);
  const leaks = [token, userToken].some((secret) => program.output().includes(secret));
  expect(!leaks, 'the bot printed a token');
  expect(!/"level":[56]0/.test(program.output()), `the bot logged an error\n${program.output()}`);
  program.child.kill('SIGTERM');
  const how = await inTime(program.ended, withinSeconds, 'the bot did not exit on SIGTERM');
  expect(how === 'exit code 0', `the bot exited with ${how} on SIGTERM\n${program.output()}`);
  simulator.child.kill('SIGTERM');
  await simulator.ended;
}

async function check() {
  const tarballs = await step('pack', pack);
  figures.push(...(await step('contents of the packages', () => checkContents(tarballs))));
  await step('publint', async () => {
    for (const tarball of Object.values(tarballs))
      await run([tool('publint'), 'run', '--strict', tarball]);
  });
  await step('install create-virgule', () => installCreator(tarballs));
  const { bot } = folders;
  await step(`create and install ${template}`, async () => {
    await scaffold(bot, template, tarballs);
    await npm(bot, 'install', '--prefer-offline');
  });
  await step('its build', () => npm(bot, 'run', 'build'));
  const virgule = join(bot, 'node_modules/.bin/virgule');
  const { lines, says, ...limits } = templates[template];
  figures.push(...countPackages(bot, limits));
  await step('its tests', () => npm(bot, 'test'));
  await step('its types', () => npm(bot, 'run', 'typecheck'));
  await step('its code', () => npm(bot, 'run', 'lint'));
  await step(`virgule run "${lines[0]}"`, async () => {
    const output = await run([virgule, 'run', lines[0]], { cwd: bot });
    expect(output.includes(says), `expected "${says}", got:\n${output}`);
  });
  const { size } = statSync(join(bot, 'dist/bot.mjs'));
  figures.push(`dist/bot.mjs: ${(size / 1000).toFixed(0)} kB`);
  await step('it answers', () => answer(bot, { virgule, lines }));
  if (others.length > 0) await checkOthers(tarballs);
}

/**
 * Creates the bot in a folder that contains the tarballs, and copies them in its Dockerfile: published packages would come
 * from the registry.
 */
async function writeContext(folder) {
  const tarballs = await pack();
  await installCreator(tarballs);
  const copies = {};
  await mkdir(folder, { recursive: true });
  for (const [name, tarball] of Object.entries(tarballs)) copies[name] = `./${basename(tarball)}`;
  await scaffold(folders.bot, template, copies);
  await cp(folders.bot, folder, { recursive: true });
  await cp(folders.tarballs, folder, { recursive: true });
  const file = join(folder, 'Dockerfile');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('COPY package*.json ./', 'COPY package*.json *.tgz ./'));
}

async function checkOthers(tarballs) {
  const virgule = join(folders.bots, 'node_modules/.bin/virgule');
  const all = (...args) => npm(folders.bots, ...args, '--workspaces', '--if-present');
  await step(`create and install ${others.join(', ')}`, () => installOthers(tarballs));
  await step('their tests', () => all('test'));
  await step('their types', () => all('run', 'typecheck'));
  await step('their code', () => all('run', 'lint'));
  await step('their builds', () => all('run', 'build'));
  for (const name of others)
    await step(`${name} answers`, () =>
      answer(join(folders.bots, name), { virgule, ...templates[name] }),
    );
}

let keep = process.argv.includes('--keep');
const context = process.argv.find((argument) => argument.startsWith('--context='))?.slice(10);
try {
  await (context === undefined ? check() : writeContext(resolve(context)));
} catch (error) {
  keep = true;
  process.exitCode = 1;
  console.error(`\n${error.message}`);
}
stopPrograms();
if (table.length > 0) printTable();
if (keep) console.log(`\nKept: ${work}`);
else rmSync(work, { recursive: true, force: true });
