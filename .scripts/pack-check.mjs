/**
 * Tests the packages as they would be published: packs every package, creates a bot with the packed
 * create-virgule outside this repository, installs the packed packages with npm, follows its Dockerfile, and runs a
 * command of the built bot. `--keep` keeps the folder; `full`, `javascript`, `empty`, `music` or `reminders` checks that template instead of `basic`.
 */
import './require-node.mjs';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
const template = process.argv.find((argument) => argument in templates) ?? 'basic';
const { lines, says, ...limits } = templates[template];
const withinSeconds = 20;
const work = realpathSync(mkdtempSync(join(tmpdir(), 'virgule-pack-')));
const folders = {
  tarballs: join(work, 'tarballs'),
  creator: join(work, 'creator'),
  bot: join(work, 'home/my-bot'),
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
async function scaffold(tarballs) {
  await mkdir(folders.creator, { recursive: true });
  await mkdir(join(folders.bot, '..'), { recursive: true });
  await writeFile(join(folders.creator, 'package.json'), '{ "private": true }\n');
  await npm(folders.creator, 'install', tarballs['create-virgule']);
  const installed = readdirSync(join(folders.creator, 'node_modules'));
  const others = installed.filter((name) => !name.startsWith('.') && name !== 'create-virgule');
  expect(others.length === 0, `create-virgule installs packages: ${others.join(', ')}`);
  const bin = join(folders.creator, 'node_modules/.bin/create-virgule');
  const args = ['my-bot', '--template', template, '--pm', 'npm', '--yes', '--no-install'];
  await run([bin, ...args], { cwd: join(folders.bot, '..') });
}

/** Lets the bot install the tarballs of our packages. */
async function useTarballs(tarballs) {
  const file = join(folders.bot, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  expect(!JSON.stringify(manifest).includes('workspace:'), 'the bot has a "workspace:" version');
  const { dependencies } = manifest;
  for (const [name, path] of Object.entries(tarballs))
    if (name in dependencies) dependencies[name] = `file:${path}`;
  const others = Object.entries(tarballs).filter(
    ([name]) => name.startsWith('@virgule/') && !(name in dependencies),
  );
  manifest.overrides = Object.fromEntries(others.map(([name, path]) => [name, `file:${path}`]));
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
  await npm(folders.bot, 'install', '--package-lock-only', '--prefer-offline');
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

/** Runs the bot as its image does, until it has answered. */
async function answer(image, simulator, env) {
  const port = String(await freePort());
  const [, ...args] = image.command;
  const bot = startProgram([process.execPath, ...args], {
    cwd: image.folder,
    env: { ...image.env, ...env, BOT_HEALTH_PORT: port },
  });
  await Promise.race([connected(simulator), bot.endedEarly, simulator.endedEarly]);
  const health = image.health.map((word) => word.replace(image.env.BOT_HEALTH_PORT, port));
  await run([process.execPath, ...health.slice(1)]);
  await Promise.race([
    runAsUser(simulator, { lines, withinSeconds, print: (line) => console.log(line) }),
    bot.endedEarly,
    simulator.endedEarly,
  ]);
  const leaks = [simulator.token, simulator.userToken].some((token) =>
    bot.output().includes(token),
  );
  expect(!leaks, 'the bot printed a token');
  expect(!/"level":[56]0/.test(bot.output()), `the bot logged an error\n${bot.output()}`);
  bot.child.kill('SIGTERM');
  const how = await inTime(bot.ended, withinSeconds, 'the bot did not exit on SIGTERM');
  expect(how === 'exit code 0', `the bot exited with ${how} on SIGTERM\n${bot.output()}`);
}

async function check() {
  await mkdir(folders.stages);
  const tarballs = await step('pack', pack);
  figures.push(...(await step('contents of the packages', () => checkContents(tarballs))));
  await step('publint', () => lintPackages(tarballs));
  await step('scaffold a bot', () => scaffold(tarballs));
  await step('lock its packages', () => useTarballs(tarballs));
  const image = await step('the steps of its Dockerfile', () =>
    runDockerfile(folders.bot, folders.stages),
  );
  // Installed and built.
  const bot = image.built;
  figures.push(...countPackages(bot, limits));
  await step('its tests', () => npm(bot, 'test'));
  if (template !== 'javascript') await step('its types', () => npm(bot, 'run', 'typecheck'));
  const virgule = (...args) => [join(bot, 'node_modules/.bin/virgule'), ...args];
  await step(`virgule run "${lines[0]}"`, async () => {
    const output = await run(virgule('run', lines[0]), { cwd: bot });
    expect(output.includes(says), `expected "${says}", got:\n${output}`);
  });
  // Of a build with packages outside, `bot.mjs` only starts the bot.
  const [program] = ['program.mjs', 'bot.mjs'].filter((name) =>
    existsSync(join(bot, 'dist', name)),
  );
  const { size } = statSync(join(bot, 'dist', program));
  figures.push(`dist/${program}: ${(size / 1000).toFixed(0)} kB`);
  const simulator = await step('virgule simulator', () =>
    startSimulator(virgule('simulator', '--port', '0', '--json'), bot),
  );
  const env = {
    BOT_TOKEN: simulator.token,
    BOT_BASE_URL: simulator.baseUrl,
    BOT_GATEWAY_URL: simulator.gatewayUrl,
  };
  await step('virgule deploy', () => run(virgule('deploy', '--yes'), { cwd: bot, env }));
  await step('the bot answers as in its image', () => answer(image, simulator, env));
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
