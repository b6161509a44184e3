/**
 * Tests the packages as they would be published: packs every package, and creates bots with the packed create-virgule
 * outside this repository, with the packed packages. For one, follows its Dockerfile. The bots of the other templates
 * share an installation; each is tested, type-checked and built. Every built bot answers commands.
 *
 * `--keep` keeps the folder. `full`, `javascript`, `empty`, `music` or `reminders` follows the Dockerfile of that template
 * instead of `basic`, and leaves out the others.
 */
import './require-node.mjs';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runAsUser } from './demo/demo-user.mjs';
import { checkContents } from './pack-check/check-contents.mjs';
import { countPackages } from './pack-check/count-packages.mjs';
import { runDockerfile } from './pack-check/run-dockerfile.mjs';
import { expect, run } from './pack-check/run-or-throw.mjs';
import { inTime, startProgram, stopPrograms } from './pack-check/start-program.mjs';
import { pnpm } from './pnpm.mjs';
import { readJson, tool, workspaceFolders } from './repository.mjs';

/**
 * What a user of a bot from each template types, and what `virgule run` answers to the first line.
 *
 * @type {Record<string, { lines: string[], says: string, packages?: number, megabytes?: number }>}
 */
const templates = {
  basic: { lines: ['/hello', '/roll 20'], says: 'Hello!' },
  javascript: { lines: ['/hello', '/roll 20'], says: 'Hello!' },
  full: { lines: ['/hello', '/help'], says: 'Hello' },
  empty: { lines: ['/ping'], says: 'pong' },
  music: {
    lines: ['/play morning', '/now'],
    says: 'Playing morning',
    // With what sends audio.
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
const named = process.argv.find((argument) => argument in templates);
const template = named ?? 'basic';
const others =
  named === undefined ? Object.keys(templates).filter((name) => name !== template) : [];
const withinSeconds = 20;
const work = realpathSync(mkdtempSync(join(tmpdir(), 'virgule-pack-')));
const folders = {
  tarballs: join(work, 'tarballs'),
  creator: join(work, 'creator'),
  bot: join(work, 'home/my-bot'),
  bots: join(work, 'bots'),
  stages: join(work, 'stages'),
};

/** @type {{ name: string, result: string, seconds: number }[]} */
const table = [];
/** @type {string[]} */
const figures = [];

function printTable() {
  const width = Math.max(...table.map(({ name }) => name.length));
  const lines = table.map(
    ({ name, result, seconds }) =>
      `${result.padEnd(6)}  ${name.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s`,
  );
  console.log(`\n${[...lines, '', ...figures].join('\n')}`);
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

/** Checks what the package.json of each tarball leads to. */
async function lintPackages(tarballs) {
  for (const tarball of Object.values(tarballs))
    await run([tool('publint'), 'run', '--strict', tarball]);
}

/** @param {Record<string, string>} tarballs */
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
  const args = [basename(bot), '--template', from, '--pm', 'npm', '--yes', '--no-install'];
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
  const { page, baseUrl, gatewayUrl, token, userToken } = JSON.parse(line);
  const fields = { page, baseUrl, gatewayUrl, token, userToken };
  const missing = Object.keys(fields).filter((name) => typeof fields[name] !== 'string');
  expect(
    missing.length === 0,
    `the first line of the simulator does not contain ${missing.join(', ')}`,
  );
  const { ok, status, headers } = await fetch(page);
  const type = headers.get('content-type') ?? '';
  expect(ok && type.startsWith('text/html'), `the page responded with ${status} ${type}`);
  return { ...simulator, ...fields };
}

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

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

/** Deploys a built bot to a simulator, and runs it as its image does, until it has answered. */
async function answer(image, { bot, virgule, lines }) {
  const simulator = await startSimulator([virgule, 'simulator', '--port', '0', '--json'], bot);
  const env = {
    BOT_TOKEN: simulator.token,
    BOT_BASE_URL: simulator.baseUrl,
    BOT_GATEWAY_URL: simulator.gatewayUrl,
  };
  await run([virgule, 'deploy', '--yes'], { cwd: bot, env });
  const port = String(await freePort());
  const [, ...args] = image.command;
  const program = startProgram([process.execPath, ...args], {
    cwd: image.folder,
    env: { ...image.env, ...env, BOT_HEALTH_PORT: port },
  });
  await Promise.race([connected(simulator), program.endedEarly, simulator.endedEarly]);
  const health = image.health.map((word) => word.replace(image.env.BOT_HEALTH_PORT, port));
  await run([process.execPath, ...health.slice(1)]);
  await Promise.race([
    runAsUser(simulator, { lines, withinSeconds, print: (line) => console.log(line) }),
    program.endedEarly,
    simulator.endedEarly,
  ]);
  const leaks = [simulator.token, simulator.userToken].some((token) =>
    program.output().includes(token),
  );
  expect(!leaks, 'the bot printed a token');
  expect(!/"level":[56]0/.test(program.output()), `the bot logged an error\n${program.output()}`);
  program.child.kill('SIGTERM');
  const how = await inTime(program.ended, withinSeconds, 'the bot did not exit on SIGTERM');
  expect(how === 'exit code 0', `the bot exited with ${how} on SIGTERM\n${program.output()}`);
  simulator.child.kill('SIGTERM');
  await simulator.ended;
}

async function check() {
  await mkdir(folders.stages);
  const tarballs = await step('pack', pack);
  figures.push(...(await step('contents of the packages', () => checkContents(tarballs))));
  await step('publint', () => lintPackages(tarballs));
  await step('install create-virgule', () => installCreator(tarballs));
  await step(`create ${template}, lock its packages`, async () => {
    await scaffold(folders.bot, template, tarballs);
    await npm(folders.bot, 'install', '--package-lock-only', '--prefer-offline');
  });
  const image = await step('the steps of its Dockerfile', () =>
    runDockerfile(folders.bot, folders.stages),
  );
  // Installed and built.
  const bot = image.built;
  const virgule = join(bot, 'node_modules/.bin/virgule');
  const { lines, says, ...limits } = templates[template];
  figures.push(...countPackages(bot, limits));
  await step('its tests', () => npm(bot, 'test'));
  if (template !== 'javascript') await step('its types', () => npm(bot, 'run', 'typecheck'));
  await step(`virgule run "${lines[0]}"`, async () => {
    const output = await run([virgule, 'run', lines[0]], { cwd: bot });
    expect(output.includes(says), `expected "${says}", got:\n${output}`);
  });
  // Of a build with packages outside, `bot.mjs` only starts the bot.
  const [program] = ['program.mjs', 'bot.mjs'].filter((name) =>
    existsSync(join(bot, 'dist', name)),
  );
  const { size } = statSync(join(bot, 'dist', program));
  figures.push(`dist/${program}: ${(size / 1000).toFixed(0)} kB`);
  await step('it answers as in its image', () => answer(image, { bot, virgule, lines }));
  if (others.length > 0) await checkOthers(tarballs, image);
}

async function checkOthers(tarballs, image) {
  const virgule = join(folders.bots, 'node_modules/.bin/virgule');
  const all = (...args) => npm(folders.bots, ...args, '--workspaces', '--if-present');
  await step(`create and install ${others.join(', ')}`, () => installOthers(tarballs));
  await step('their tests', () => all('test'));
  await step('their types', () => all('run', 'typecheck'));
  await step('their builds', () => all('run', 'build'));
  for (const name of others) {
    const bot = join(folders.bots, name);
    const { lines } = templates[name];
    await step(`${name} answers`, () => answer({ ...image, folder: bot }, { bot, virgule, lines }));
  }
}

let keep = process.argv.includes('--keep');
try {
  await check();
} catch (error) {
  keep = true;
  process.exitCode = 1;
  console.error(`\n${error.message}`);
}
stopPrograms();
printTable();
if (keep) console.log(`\nKept: ${work}`);
else rmSync(work, { recursive: true, force: true });
