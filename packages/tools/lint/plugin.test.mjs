import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import plugin from './plugin.mjs';
import { outsideWorld, packageNames } from './rules.mjs';

const pluginFile = fileURLToPath(new URL('plugin.mjs', import.meta.url));
const { rules } = plugin;
const oxlint = fileURLToPath(new URL('../../../node_modules/oxlint/bin/oxlint', import.meta.url));

const uses = {
  'Date()': ['export const now = new Date();', 'export const text = Date();'],
  'Date.now': ['export const now = Date.now();', 'export const { now } = Date;', "Date['now']();"],
  'performance.now': ['export const now = performance.now();'],
  setTimeout: ['setTimeout(() => {}, 1);', 'export const later = globalThis.setTimeout;'],
  setInterval: ['setInterval(() => {}, 1);', 'globalThis.setInterval(() => {}, 1);'],
  setImmediate: ['setImmediate(() => {});'],
  queueMicrotask: ['queueMicrotask(() => {});'],
  'AbortSignal.timeout': ['export const signal = AbortSignal.timeout(5);'],
  'Math.random': ['export const chance = Math.random();', 'export const { random } = Math;'],
  'process.env': ['export const home = process.env.HOME;', 'export const { env } = process;'],
  'process.exit': ['process.exit(1);', 'globalThis.process.exit(1);'],
  console: ["console.log('x');", 'export const log = console;'],
};

const harmless = [
  'export const then = new Date(0);',
  'export type Later = typeof setTimeout;',
  'export const arm = (setTimeout: (delayMs: number) => void) => setTimeout(5);',
  'export const arm = (clock: { setTimeout(): void }) => clock.setTimeout();',
  'export const version = process.version;',
  'export const floor = Math.floor(1.5);',
  'export interface Io { readonly console: string }',
  "export { type Clock } from './clock.js';",
];

const modules = [
  "import { setTimeout as sleep } from 'node:timers/promises'; await sleep(1);",
  "import process from 'node:process'; process.stdout.write('');",
  "export { env } from 'process';",
  "await import('node:timers');",
];

const places = [
  'core/src/clock.ts',
  'core/src/clock/system-clock.ts',
  'virgule/src/bin/virgule.ts',
  'virgule/src/process/signals.ts',
  'runtime/src/process/environment.ts',
  'playground/src/composer.tsx',
];

/** [file, code, refused] */
const imports = [
  ['packages/core/src/a.ts', "import { x } from '@virgule/client/rest'; x();", true],
  ['packages/client/src/a.ts', "import { x } from '@virgule/core/errors'; x();", false],
  [
    'packages/client/src/b.ts',
    "import type { X } from '@virgule/runtime'; export type Y = X;",
    true,
  ],
  ['packages/client/src/c.ts', "import { x } from '@virgule/simulator'; x();", true],
  ['packages/client/src/c.test.ts', "import { x } from '@virgule/simulator'; x();", false],
  ['packages/client/src/d.ts', "import { x } from '@virgule/client/rest'; x();", true],
  ['packages/runtime/src/a.ts', "import { x } from '@virgule/client/rest'; x();", false],
  ['packages/runtime/src/b.ts', "export { x } from 'virgule';", true],
  ['packages/simulator/src/a.ts', "import { x } from '@virgule/core/protocol'; x();", false],
  ['packages/simulator/src/b.ts', "await import('@virgule/client/gateway');", true],
  ['packages/simulator/test/b.test.ts', "import { x } from '@virgule/runtime'; x();", true],
  [
    'packages/playground/src/a.ts',
    "import type { X } from '@virgule/core/protocol'; export type Y = X;",
    false,
  ],
  [
    'packages/playground/src/b.ts',
    "import { type X } from '@virgule/core/protocol'; export type Y = X;",
    false,
  ],
  ['packages/playground/src/c.ts', "import { x } from '@virgule/core/protocol'; x();", true],
  ['packages/playground/src/d.ts', "import { x } from '@virgule/core/raw-input'; x();", false],
  ['packages/virgule/src/a.ts', "import { x } from '@virgule/simulator'; x();", false],
  ['packages/virgule/src/b.ts', "export type X = import('create-virgule').X;", true],
  ['packages/create-template/src/a.ts', "import { x } from '@virgule/client/rest'; x();", true],
  ['packages/client/src/e.ts', "import { x } from '@virgule/core/src/errors/x.js'; x();", true],
  ['packages/client/src/f.ts', "import { x } from '@virgule/core'; x();", true],
  ['packages/client/src/g.ts', "import { x } from '../../core/src/errors.js'; x();", true],
  ['packages/client/src/h.ts', "import { x } from '../../core/test/fixtures/x.js'; x();", true],
  [
    'packages/client/src/h.test.ts',
    "import { x } from '../../core/test/fixtures/x.js'; x();",
    false,
  ],
  ['packages/client/src/deep/i.ts', "import { x } from '../rest.js'; x();", false],
  ['templates/basic/commands/a.ts', "import { x } from 'virgule'; x();", false],
  ['templates/basic/commands/b.ts', "import { x } from '@virgule/core/errors'; x();", true],
  [
    'templates/basic/commands/c.ts',
    "import { x } from '../../../packages/virgule/src/index.js'; x();",
    true,
  ],
];

const log = 'declare const log: Record<string, (...words: unknown[]) => void>;';
const inLog = (call) => `${log} export function f(this: any, name: string) { ${call} }`;
const table = (row) =>
  `import { defineErrors, userError } from '@virgule/core/errors'; export const errors = defineErrors({ E_X: ${row} });`;

/** [code, refused]: messages in their form, and not. */
const messages = [
  [inLog("log.info({}, 'connected');"), false],
  [inLog("log.info('connected');"), false],
  [inLog('log.info({}, `/${name} answered`);'), false],
  [inLog("log.info({}, '/roll answered');"), false],
  [inLog("log.info({}, 'GET /commands failed');"), false],
  [inLog("log.info({}, 'IDENTIFY was sent');"), false],
  [inLog("log.info({}, 'WebSocket closed');"), false],
  [inLog("log.info({}, 'Node.js is too old');"), false],
  [inLog('log.info({}, `reconnecting in ${name}.`, 1); void log;'), true],
  [inLog("log.info({}, 'Connected');"), true],
  [inLog("log.warn('A socket closed');"), true],
  [inLog("log.error({}, 'connected.');"), true],
  [inLog("log.debug({}, name ? 'connected' : 'Closed');"), true],
  [inLog("log.debug({}, 'closed ' + name + ' again.');"), true],
  [inLog("this.log?.info({}, 'Connected');"), true],
  ['export class A { #log: any; f() { this.#log.info({}, "Connected"); } }', true],
  [inLog('log.info({}, name);'), false],
  [inLog("log.other('Connected.');"), false],
  [inLog("this.ui.info('Connected.');"), false],
  [table("userError(() => ['It failed.', 'Try again.'])"), false],
  [table('userError(({ x }) => [`It failed: ${x}`])'), false],
  [table("userError(() => ['It failed.', undefined])"), false],
  [table("{ kind: 'user', texts: () => ['It failed.'] }"), false],
  [table("userError(() => ['It failed'])"), true],
  [table("{ kind: 'user', texts: () => ['It failed'] }"), true],
  [table('userError(({ x }) => [`${x} failed`])'), true],
  [table("userError(({ x }) => [x ? 'It failed.' : 'It is gone'])"), true],
  [table("userError(({ x }) => (x ? ['It failed.'] : ['It is gone']))"), true],
  [table("userErrorByKind({ a: () => ['It failed.', 'Try again'] })"), true],
  [table("userError(() => ['It failed.', 'Try again'])"), true],
  [table("userError(({ x }) => { if (x) return ['No']; return ['It failed.']; })"), true],
];

/** [code, refused]: words of the field, and others. */
const sentences = [
  ["export const a = 'Fix the file.';", false],
  ["export const a = 'mend';", false],
  ['/** Returns the file. */ export const a = 1;', false],
  ['// fix it\nexport const a = 1;', false],
  ['// mend it\nexport const a = 1;', true],
  ['// See "Mending" and `mend`.\nexport const a = 1;', false],
  ["export const a = 'Mend the file.';", true],
  ['export const a = (b: string) => `nobody has ${b}`;', true],
  ['/** Gives the file. */ export const a = 1;', true],
];

/** @type {{ file: string, code: string, rule: string | undefined }[]} */
const plants = [];
const plant = (file, code, rule) => plants.push({ file, code, rule });
let number = 0;
const held = () => `packages/runtime/src/planted/${(number += 1)}.ts`;

for (const codes of Object.values(uses)) {
  for (const code of codes) plant(held(), code, 'outside-world');
}
for (const code of modules) plant(held(), code, 'outside-world');
for (const code of harmless) plant(held(), code, undefined);
for (const place of places) {
  const code = 'setTimeout(() => console.log(Date.now(), Math.random(), process.env), 1);';
  plant(`packages/${place}`, code, undefined);
}
plant('packages/runtime/src/timer.test.ts', 'setTimeout(() => {}, 1);', 'outside-world');
plant('templates/basic/bot.ts', "console.log('x');", undefined);
for (const [file, code, refused] of imports) {
  plant(file, code, refused ? 'one-direction' : undefined);
}
for (const [code, refused] of messages) plant(held(), code, refused ? 'message-form' : undefined);
for (const [code, refused] of sentences) plant(held(), code, refused ? 'plain-words' : undefined);
for (const path of ['src/fixed.test.ts', 'src/types.test-d.ts', 'test/fixed.ts']) {
  plant(`packages/core/${path}`, "export const a = 'Mend the file.';", undefined);
  plant(`packages/playground/${path}`, '/* mend it */ export const a = 1;', 'plain-words');
}
/** [comment, refused]: sentences of doc comments. */
const forms = [
  ['/** Status of an interaction. */', false],
  ['/** Whether it is open. */', true],
  ['/**\n * How far a run has come.\n */', true],
  ['/** Files, without those that were removed. */', true],
  ['/** Whose files: "one that is open" is quoted. */', false],
  ['// What follows is no doc comment.', false],
];
for (const [index, [comment, refused]] of forms.entries())
  plant(
    `packages/voice/src/form-${index}.ts`,
    `${comment}\nexport const a = 1;`,
    refused ? 'plain-words' : undefined,
  );
for (const [comment, rule] of [
  ['/** Whether it is open. */', 'plain-words'],
  ['/** A file, or one that is open. */', undefined],
])
  plant(`packages/voice/test/form-${rule ?? 'fine'}.ts`, `${comment}\nexport const a = 1;`, rule);
/** [code, refused]: identifiers. */
const names = [
  ['export const fixed = 1;', false],
  ['export const giveUp = 1;', false],
  ['export const mended = 1;', true],
  ['export const IS_MENDED = 1;', true],
  ['export function tellAll() {}', true],
  ['export const a = { nobodyElse: 1 };', true],
  ['export class A { #told = 1; b() { return this.#told; } }', true],
];
for (const [index, [code, refused]] of names.entries()) {
  for (const place of ['simulator/src', 'virgule/test'])
    plant(`packages/${place}/names-${index}.ts`, code, refused ? 'plain-words' : undefined);
}
/** [code, refused]: names of tests. */
const titles = [
  ["it('fixes the file');", false],
  ["it(name, () => send('mend'));", false],
  ["fix.it('mends the file');", false],
  ["it('mends the file');", true],
  ["describe('mending');", true],
  ["it.skipIf(ci).each([1])('mends file %d');", true],
  ['test.each`a`(`mends ${file}`);', true],
];
for (const [index, [code, refused]] of titles.entries())
  plant(`packages/simulator/test/${index}.test.ts`, code, refused ? 'plain-words' : undefined);
plant('packages/core/src/all.ts', "export * from './clock.js';", 'no-export-star');
plant(
  'packages/virgule/src/index.ts',
  "export * from '@virgule/runtime/project';",
  'no-export-star',
);
plant('packages/core/src/protocol.ts', "export * from './protocol/voice.js';", undefined);
plant('packages/core/src/one.ts', "export * as clock from './clock.js';", undefined);

/** @type {string} */
let folder;
/** @type {Map<string, string[]>} */
const found = new Map();

async function write(path, text) {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'virgule-lint-'));
  await write('pnpm-workspace.yaml', '');
  const named = Object.keys(rules).map((name) => [`virgule/${name}`, 'error']);
  await write(
    '.oxlintrc.json',
    JSON.stringify({
      jsPlugins: [pluginFile],
      categories: { correctness: 'off' },
      rules: Object.fromEntries(named),
    }),
  );
  for (const name of Object.keys(packageNames)) {
    const manifest = new URL(`../../../packages/${name}/package.json`, import.meta.url);
    const { exports } = (await import(fileURLToPath(manifest), { with: { type: 'json' } })).default;
    await write(`packages/${name}/package.json`, JSON.stringify({ exports }));
  }
  for (const { file, code } of plants) await write(file, `${code}\n`);
  const stdout = await new Promise((resolve) => {
    execFile(process.execPath, [oxlint, '-f', 'json'], { cwd: folder }, (_error, out) =>
      resolve(out),
    );
  });
  for (const { filename, code } of JSON.parse(stdout).diagnostics) {
    found.set(filename, [...(found.get(filename) ?? []), code]);
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the lint plugin', () => {
  it('has a planted use of every forbidden name', () => {
    expect(Object.keys(uses).sort()).toEqual([...outsideWorld].sort());
  });

  for (const { file, code, rule } of plants) {
    it(`${rule === undefined ? 'lets pass' : `refuses (${rule})`} in ${file}: ${code}`, () => {
      const expected = rule === undefined ? [] : [`virgule(${rule})`];
      expect([...new Set(found.get(file) ?? [])]).toEqual(expected);
    });
  }
});
