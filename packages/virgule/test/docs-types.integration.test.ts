import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { samplesOf } from './guide-samples.js';
import { createTestIo } from './test-io.js';
import { createTestProject } from './test-project.js';
import { BOT_TSCONFIG, declareTypes, DECLARING, typeCheck } from './type-check.js';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** The pages whose code is checked here. Recipes, migrations and the tutorial are bots, and have a test of their own. */
function pages(): string[] {
  const docs = readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(
      (path) =>
        path.endsWith('.md') &&
        !/node_modules|\.vitepress|^(?:recipes|migrate|tutorial)\//.test(path),
    );
  const packages = readdirSync(join(repository, 'packages')).map(
    (name) => `packages/${name}/README.md`,
  );
  return ['README.md', ...docs.map((path) => `docs/${path}`).toSorted(), ...packages];
}

interface Block {
  readonly page: string;
  readonly line: number;
  readonly ext: string;
  readonly code: string;
}

/** Returns the blocks of code of a page. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(join(repository, page), 'utf8');
  return [...text.matchAll(/^```([cm]?[jt]sx?)\b.*\n([^]*?)^```$/gm)].map(
    ({ 1: ext = '', 2: code = '', index }) => ({
      page,
      line: text.slice(0, index).split('\n').length + 1,
      ext,
      code,
    }),
  );
}

/** Declarations that the fragments of a page assume and its text mentions. */
const ASSUMED: Readonly<Record<string, string>> = {
  'docs/guide/answers.md': 'declare function loadReport(): Promise<string>;',
  'docs/reference/context.md': 'declare const sides: number, error: unknown;',
};

const registered = (type: string): string => `
  declare module 'virgule' { interface Register { services: ${type} } }
  export {};`;

const MEASURED = {
  'platform.json': JSON.stringify({
    messageResponse: 'empty',
    measured: { v: 1, facts: { pageMax: { confidence: 'not-reachable' } } },
  }),
};

/** Files that a page assumes; its text says so as well. */
const ASSUMED_FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/guide/configuration.md': MEASURED,
  'docs/guide/first-server.md': MEASURED,
  'docs/guide/errors.md': {
    'services.ts': registered('{ languages: { of(serverId: string): string } }'),
  },
  'docs/guide/events.md': {
    'services.ts': registered('{ model: { answer(text: string): AsyncIterable<string> } }'),
  },
  'docs/guide/models.md': {
    'ai.d.ts': `declare module 'ai' {
      export type LanguageModel = unknown;
      export const createGateway: any, generateText: any, isStepCount: any, streamText: any;
    }`,
    'lib/model.ts': 'export declare const model: unknown;',
    'lib/mock-model.ts': `
      type Piece = string | { readonly tool: string; readonly input: object };
      export declare function createMockModel(
        clock: Pick<import('virgule').ContextClock, 'sleep'>,
        answer?: (said: string, result?: string) => Iterable<Piece>,
      ): unknown;`,
    'services.ts': registered('{ model: unknown }'),
  },
  'docs/guide/services.md': {
    'virgule.config.ts': samplesOf('configuration')['virgule.config.ts'] ?? '',
    'lib/songs.ts': `
      export declare function openSongs(address: string): Promise<{
        readonly count: number;
        find(title: string): string | undefined;
        disconnect(): void;
      }>;`,
  },
  'docs/guide/testing.md': {
    'commands/roll.ts': readFileSync(join(repository, 'templates/basic/commands/roll.ts'), 'utf8'),
  },
  'docs/guide/voice.md': { 'livekit.d.ts': `declare module '@livekit/rtc-node';` },
  'packages/runtime/README.md': { 'commands/ping.js': 'export default {};' },
};

/** Returns a fragment as a module: members of a command, or statements of a handler. */
function asModule({ page, code }: Block): string {
  if (/^(?:import|export) /m.test(code)) return code;
  const head = `import { defineCommand, type CommandContext } from 'virgule';
import * as z from 'zod';
${ASSUMED[page] ?? ''}
`;
  if (/^(?:async )?run\b/.test(code))
    return `${head}export default defineCommand({ description: 'A', ${code}});`;
  return `${head}export async function handle({ log, voice, channelId }: CommandContext) {
${code}}`;
}

it('the code of the pages compiles', async () => {
  const files: Record<string, string> = {};
  const programs = new Map<string, string>();
  let blocks = 0;
  let whole = 0;
  for (const page of pages()) {
    const name = page.replace(/\.md$/, '').replaceAll('/', '-');
    let folder = name;
    const assumed = ASSUMED_FILES[page] ?? {};
    let isGlobal = Object.values(assumed).some((text) => DECLARING.test(text));
    const seen = new Set<string>();
    for (const block of blocksOf(page)) {
      const named = /^\/\/ (\S+\.[cm]?[jt]s)(?: .*)?\n/.exec(block.code)?.[1];
      // Most that have no name are tests.
      const place = /from '\.\//.test(block.code) ? '' : 'tests/';
      const file = named ?? `${place}block-${block.line}.${block.ext}`;
      // A later version of a file is that of another bot.
      if (seen.has(file)) {
        seen.clear();
        folder = `${name}-${block.line}`;
      }
      seen.add(file);
      for (const [path, text] of Object.entries(assumed)) files[`${folder}/${path}`] ??= text;
      files[`${folder}/${file}`] = named ? block.code : asModule(block);
      blocks += 1;
      if (named !== undefined) whole += 1;
      isGlobal ||= named !== undefined && DECLARING.test(block.code);
      programs.set(folder, isGlobal ? folder : 'all');
    }
  }
  const groups: Record<string, string[]> = {};
  for (const [folder, group] of programs) (groups[group] ??= []).push(folder);
  for (const [group, folders] of Object.entries(groups)) {
    const { compilerOptions } = JSON.parse(BOT_TSCONFIG);
    files[`types-${group}/tsconfig.json`] = JSON.stringify({
      compilerOptions: { ...compilerOptions, allowJs: true, checkJs: true },
      include: folders.flatMap((folder) => [`../${folder}`, `../${folder}/.virgule/types.d.ts`]),
    });
  }
  const references = Object.keys(groups).map((group) => ({ path: `types-${group}` }));
  files['tsconfig.json'] = JSON.stringify({ files: [], references });
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  for (const [folder, group] of programs) {
    const own = Object.keys(files).filter((file) => file.startsWith(`${folder}/`));
    const paths = own.map((file) => file.slice(folder.length + 1));
    if (group === folder) declareTypes(join(project.root, folder), paths);
  }
  await mkdir(join(project.root, 'node_modules/@virgule'), { recursive: true });
  const linked: Record<string, string> = { vitest: 'node_modules/vitest' };
  for (const name of ['client', 'core', 'redis', 'runtime', 'simulator', 'voice'])
    linked[`@virgule/${name}`] = `packages/${name}`;
  for (const [name, path] of Object.entries(linked)) {
    const folder = await realpath(join(repository, path));
    await symlink(folder, join(project.root, 'node_modules', name));
  }
  // All of the pages, so that none is skipped by accident.
  expect(Object.keys(files).length).toBeGreaterThan(90);
  expect(await typeCheck(project.root, '--build')).toEqual({ code: 0, output: '' });
  process.stdout.write(`Docs: ${blocks} blocks of code compile, ${whole} of them whole files.\n`);
});

it('the guide on models shows the file of its template', () => {
  const file = 'events/message-create/assistant.ts';
  const template = readFileSync(join(repository, 'templates/assistant', file), 'utf8');
  expect(template).toContain(samplesOf('models')[file]);
});

it('commands of the documentation can be loaded', async () => {
  const blocks = pages()
    .flatMap((page) => blocksOf(page))
    .filter(({ code }) => code.includes('export default defineCommand('));
  const files = blocks.map(({ code }, index) => [`commands/x${index}.ts`, code] as const);
  const project = await createTestProject(Object.fromEntries(files));
  onTestFinished(() => project[Symbol.asyncDispose]());
  const io = createTestIo({ cwd: project.root });
  await run(['check', '--json'], io);
  const { findings }: { findings: { code: string; file: string; message: string }[] } = JSON.parse(
    io.out,
  );
  const wrong = findings
    // Files and packages of other blocks.
    .filter(({ code }) => code !== 'E_MODULE_NOT_FOUND')
    .map(({ file, message }) => {
      const { page, line } = blocks[Number(/\d+/.exec(file))] ?? {};
      return `${page}:${line}: ${message}`;
    });
  expect(blocks.length).toBeGreaterThan(30);
  expect(wrong).toEqual([]);
});
