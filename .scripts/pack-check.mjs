/**
 * Does what a user does, with what would be published: packs every package, scaffolds a bot from the
 * packed create-virgule outside this repository, installs the packed packages with npm, and has the
 * built bot answer a command. `--keep` leaves the folder to look at.
 */
import './require-node.mjs';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runAsUser } from './demo/demo-user.mjs';
import { pnpm } from './pnpm.mjs';
import { readJson, workspaceFolders } from './repository.mjs';
import { runCommand } from './run-command.mjs';

const withinSeconds = 20;
const work = realpathSync(mkdtempSync(join(tmpdir(), 'virgule-pack-')));
const folders = {
  tarballs: join(work, 'tarballs'),
  creator: join(work, 'creator'),
  bot: join(work, 'home/my-bot'),
  server: join(work, 'server'),
};

/** What no published package holds; `dist/templates` is a bot of its own, tests included. */
const unwanted =
  /(^|\/)(src|tests?)\/|\.test(-d)?\.|\.tsbuildinfo$|(^|\/)(tsconfig.*\.json|turbo\.json|build\.mjs|\.env(\..*)?)$/;

/** @type {{ name: string, result: string, seconds: number }[]} */
const table = [];
/** @type {string[]} */
const figures = [];
/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();

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

/** Runs a command to its end and gives what it printed; a failure throws that. */
async function run(command, options) {
  const { ok, output } = await runCommand(command, options);
  if (!ok) throw new Error(`"${command.join(' ')}" failed\n${output.trim()}`);
  return output;
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

/** Starts a program that stays up; `lines` gets each line of its standard output. */
function start(command, { cwd, env = {}, onLine = () => {} }) {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      said += `${line}\n`;
      if (stream === child.stdout) onLine(line);
    });
  }
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  void ended.then(() => children.delete(child));
  const endedEarly = ended.then((how) => {
    throw new Error(`"${command.join(' ')}" ended (${how})\n${said.trim()}`);
  });
  // Only heard while something waits for it.
  endedEarly.catch(() => {});
  return { child, ended, endedEarly, said: () => said };
}

/** Fails with `message` unless `promise` settles in time. */
async function inTime(promise, message) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    const fail = () => reject(new Error(`${message} within ${withinSeconds} s`));
    timer = setTimeout(fail, withinSeconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Packs every published package. Gives the path of each tarball by package name. */
async function pack() {
  await mkdir(folders.tarballs, { recursive: true });
  /** @type {Record<string, string>} */
  const tarballs = {};
  for (const folder of workspaceFolders()) {
    const { name, private: isPrivate } = readJson(join(folder, 'package.json'));
    if (isPrivate) continue;
    expect(existsSync(join(folder, 'dist')), `${folder} is not built: run "npm run build"`);
    const before = new Set(readdirSync(folders.tarballs));
    await run([...pnpm(), 'pack', '--pack-destination', folders.tarballs], { cwd: folder });
    const [made] = readdirSync(folders.tarballs).filter((file) => !before.has(file));
    tarballs[name] = join(folders.tarballs, made);
  }
  return tarballs;
}

/** Every file that a package's own package.json points to. */
function promisedFiles({ bin = {}, exports = {} }) {
  const targets = (entry) =>
    typeof entry === 'string'
      ? [entry]
      : Object.entries(entry)
          .filter(([condition]) => condition !== 'virgule-source')
          .flatMap(([, target]) => targets(target));
  return [...Object.values(bin), ...targets(exports)].map((path) => path.replace(/^\.\//, ''));
}

/** @param {Record<string, string>} tarballs */
async function checkContents(tarballs) {
  for (const [name, tarball] of Object.entries(tarballs)) {
    const list = await run(['tar', '-tzf', tarball]);
    const files = list
      .split('\n')
      .filter(Boolean)
      .map((path) => path.replace(/^package\//, ''));
    const text = await run(['tar', '-xzOf', tarball, 'package/package.json']);
    const wrong = files.filter(
      (path) => unwanted.test(path) && !path.startsWith('dist/templates/'),
    );
    expect(wrong.length === 0, `${name} carries what it should not: ${wrong.join(', ')}`);
    const missing = [...promisedFiles(JSON.parse(text)), 'README.md'].filter(
      (path) => !files.includes(path),
    );
    expect(missing.length === 0, `${name} lacks: ${missing.join(', ')}`);
    expect(!text.includes('workspace:'), `${name} depends on a "workspace:" version`);
    const kilobytes = (statSync(tarball).size / 1000).toFixed(0);
    figures.push(`${name}: ${files.length} files, ${kilobytes} kB packed`);
  }
}

/** @param {Record<string, string>} tarballs */
async function scaffold(tarballs) {
  await mkdir(folders.creator, { recursive: true });
  await mkdir(join(folders.bot, '..'), { recursive: true });
  await writeFile(join(folders.creator, 'package.json'), '{ "private": true }\n');
  await npm(folders.creator, 'install', tarballs['create-virgule']);
  const installed = readdirSync(join(folders.creator, 'node_modules'));
  const brought = installed.filter((name) => !name.startsWith('.') && name !== 'create-virgule');
  expect(brought.length === 0, `create-virgule brings packages: ${brought.join(', ')}`);
  const bin = join(folders.creator, 'node_modules/.bin/create-virgule');
  const args = ['my-bot', '--template', 'basic', '--pm', 'npm', '--yes', '--no-install'];
  await run([bin, ...args], { cwd: join(folders.bot, '..') });
}

/** Installs the bot with every package of ours taken from its tarball. */
async function install(tarballs) {
  const file = join(folders.bot, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  expect(!JSON.stringify(manifest).includes('workspace:'), 'the bot has a "workspace:" version');
  manifest.dependencies.virgule = `file:${tarballs.virgule}`;
  const others = Object.entries(tarballs).filter(([name]) => name.startsWith('@virgule/'));
  manifest.overrides = Object.fromEntries(others.map(([name, path]) => [name, `file:${path}`]));
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
  await npm(folders.bot, 'install');

  const { packages } = readJson(join(folders.bot, 'node_modules/.package-lock.json'));
  const all = Object.entries(packages);
  const foreign = all.filter(
    ([path, { resolved = '' }]) =>
      /node_modules\/(virgule|@virgule\/[^/]+)$/.test(path) && !resolved.startsWith('file:'),
  );
  expect(foreign.length === 0, `not from a tarball: ${foreign.map(([path]) => path).join(', ')}`);
  const production = all.filter(([, { dev }]) => !dev);
  for (const [label, list] of Object.entries({ 'the bot': production, 'with tools': all })) {
    const bytes = list.reduce((sum, [path]) => sum + bytesOf(join(folders.bot, path)), 0);
    figures.push(`${label}: ${list.length} packages, ${(bytes / 1e6).toFixed(1)} MB`);
  }
}

/** Size of a package's files, the packages nested in it left out. */
function bytesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + bytesOf(path);
    return sum + (entry.isFile() ? statSync(path).size : 0);
  }, 0);
}

const npm = (cwd, command, ...args) =>
  run(['npm', command, ...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd });

const virgule = (...args) => [join(folders.bot, 'node_modules/.bin/virgule'), ...args];

/** Starts the simulator; its first line tells where it listens. */
async function startSimulator() {
  let announce;
  const firstLine = new Promise((resolve) => {
    announce = resolve;
  });
  const simulator = start(virgule('simulator', '--port', '0', '--json'), {
    cwd: folders.bot,
    onLine: (line) => announce(line),
  });
  const line = await inTime(
    Promise.race([firstLine, simulator.endedEarly]),
    'the simulator printed no line',
  );
  const { page, baseUrl, gatewayUrl, token, userToken } = JSON.parse(line);
  const fields = { page, baseUrl, gatewayUrl, token, userToken };
  const lacking = Object.keys(fields).filter((name) => typeof fields[name] !== 'string');
  expect(lacking.length === 0, `the simulator's first line lacks ${lacking.join(', ')}`);
  return { ...simulator, ...fields };
}

/** Runs the built bot where nothing but its build is, until it has answered /hello. */
async function answer(simulator, env) {
  await cp(join(folders.bot, 'dist'), join(folders.server, 'dist'), { recursive: true });
  const bot = start([process.execPath, 'dist/bot.mjs'], { cwd: folders.server, env });
  const lines = ['/hello', '/roll 20'];
  await Promise.race([
    runAsUser(simulator, { lines, withinSeconds, print: (line) => console.log(line) }),
    bot.endedEarly,
    simulator.endedEarly,
  ]);
  const spoke = bot.said().includes(simulator.token) || bot.said().includes(simulator.userToken);
  expect(!spoke, 'the bot printed a token');
  bot.child.kill('SIGTERM');
  const how = await inTime(bot.ended, 'the bot did not end on SIGTERM');
  expect(how === 'exit code 0', `the bot ended with ${how} on SIGTERM\n${bot.said()}`);
}

async function check() {
  const tarballs = await step('pack', pack);
  await step('contents of the packages', () => checkContents(tarballs));
  await step('scaffold a bot', () => scaffold(tarballs));
  await step('install it', () => install(tarballs));
  await step('its tests', () => npm(folders.bot, 'test'));
  await step('its types', () => npm(folders.bot, 'run', 'typecheck'));
  await step('virgule run "/hello"', async () => {
    const output = await run(virgule('run', '/hello'), { cwd: folders.bot });
    expect(output.includes('Hello!'), `expected "Hello!", saw:\n${output}`);
  });
  await step('virgule build', () => run(virgule('build'), { cwd: folders.bot }));
  const { size } = statSync(join(folders.bot, 'dist/bot.mjs'));
  figures.push(`dist/bot.mjs: ${(size / 1000).toFixed(0)} kB`);
  const simulator = await step('virgule simulator', startSimulator);
  const env = {
    BOT_TOKEN: simulator.token,
    BOT_BASE_URL: simulator.baseUrl,
    BOT_GATEWAY_URL: simulator.gatewayUrl,
  };
  await step('virgule deploy', () => run(virgule('deploy', '--yes'), { cwd: folders.bot, env }));
  await step('node dist/bot.mjs answers', () => answer(simulator, env));
}

function stopChildren() {
  for (const child of children) child.kill('SIGKILL');
}
process.on('exit', stopChildren);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

let keep = process.argv.includes('--keep');
try {
  await check();
} catch (error) {
  keep = true;
  process.exitCode = 1;
  console.error(`\n${error.message}`);
}
stopChildren();
printTable();
if (keep) console.log(`\nLeft to look at: ${work}`);
else rmSync(work, { recursive: true, force: true });
