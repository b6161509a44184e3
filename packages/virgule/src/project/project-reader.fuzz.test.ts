import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../test/loader/project-folder.js';
import { createLoader } from '../loader/create-loader.js';
import { createProjectReader } from './project-reader.js';

const ROUTES = [
  'commands/a.ts',
  'commands/b.ts',
  'commands/deep/c.ts',
  'events/message-create.ts',
] as const;
const GUARD = 'commands/_middleware.ts';
const HELPER = 'lib/text.ts';
const FILES = [...ROUTES, GUARD, HELPER] as const;
type File = (typeof FILES)[number];

type Edit =
  | { readonly kind: 'write'; readonly file: File; readonly version: number }
  | { readonly kind: 'unlink'; readonly file: File }
  /** Away and back, as editors and version control do it. */
  | { readonly kind: 'rename'; readonly file: File };

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    file: fc.constantFrom(...FILES),
    version: fc.nat(5),
  }),
  fc.record({ kind: fc.constant('unlink' as const), file: fc.constantFrom(...FILES) }),
  fc.record({ kind: fc.constant('rename' as const), file: fc.constantFrom(...FILES) }),
);

/** One batch of the watcher: edits before the loader looks, before the reader looks, and while it reads. */
interface Step {
  readonly before: readonly Edit[];
  readonly between: readonly Edit[];
  readonly during: readonly Edit[];
  /** Number of edits that the watcher has reported so far. */
  readonly reported: number;
}

const edits = fc.array(edit, { maxLength: 4 });
const step: fc.Arbitrary<Step> = fc.record({
  before: edits,
  between: edits,
  during: edits,
  reported: fc.nat(4),
});

function textOf(file: File, version: number): string {
  if (file === HELPER) return `export const text = 'helper ${version}';`;
  if (file === GUARD) return `export default (_, next) => next(${version});`;
  if (file.startsWith('events/'))
    return `export default { event: 'READY', run: () => ${version} };`;
  const helper = file === 'commands/b.ts';
  return [
    helper ? `import { text } from '../lib/text.js';` : `const text = 'plain';`,
    `export default { description: '${version} ' + text, run: () => 'answer ${version}' };`,
  ].join('\n');
}

/** Makes an edit. @returns the path that changed. */
function make({ path }: ProjectFolder, { kind, file, ...rest }: Edit): string {
  const target = path(file);
  const away = `${target}~`;
  if (kind === 'unlink') rmSync(target, { force: true });
  else if (kind === 'rename' && existsSync(target)) renameSync(target, away);
  else if (kind === 'rename' && existsSync(away)) renameSync(away, target);
  else if ('version' in rest) {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, textOf(file, rest.version));
  }
  return target;
}

/** Active code: the text of each handler and guard that would run. */
type Answering = Awaited<ReturnType<ReturnType<typeof createProjectReader>['open']>>['project'];
const summary = ({ commands, events }: Answering): unknown => ({
  commands: Object.fromEntries(
    [...commands.values()].map(({ name, wire, run, middleware }) => [
      name,
      [wire.description, run, ...middleware].map(String),
    ]),
  ),
  events: Object.fromEntries(
    [...events].map(([event, listeners]) => [event, listeners.map(({ run }) => String(run))]),
  ),
});

/** Active code of a bot that starts now. */
async function startAfresh({ root }: ProjectFolder): Promise<unknown> {
  await using fresh = createLoader({ root });
  return summary((await createProjectReader(root, fresh).open({})).project);
}

async function check(steps: readonly Step[]): Promise<void> {
  const folder = createProjectFolder({ 'package.json': '{ "type": "module" }' });
  for (const file of FILES) folder.write(file, textOf(file, 0));
  // A project whose last command is removed is treated as being moved, and keeps answering.
  folder.write('commands/stays.ts', textOf('commands/a.ts', 0));
  await using loader = createLoader({ root: folder.root });
  let during: readonly Edit[] = [];
  const queue: string[] = [];
  const makeAll = (some: readonly Edit[]): void => {
    for (const each of some) queue.push(make(folder, each));
  };
  const reader = createProjectReader(folder.root, {
    ...loader,
    importModule(file) {
      makeAll(during);
      during = [];
      return loader.importModule(file);
    },
  });
  let { project } = await reader.open({});

  async function take(changed: readonly string[], between: readonly Edit[]): Promise<void> {
    const applied = await loader.apply([...new Set(changed)]);
    if (applied.restart !== undefined) throw new Error(applied.restart);
    makeAll(between);
    ({ project } = await reader.read(changed, applied.evaluated));
  }

  for (const { before, between, during: later, reported } of steps) {
    makeAll(before);
    during = later;
    // The loader reads the current files, even if their changes were not reported yet.
    await take(queue.splice(0, reported), between);
  }
  during = [];
  // Without its helper, a command keeps its last good version, which a fresh start has not.
  queue.push(folder.write(HELPER, textOf(HELPER, 9)));
  while (queue.length > 0) await take(queue.splice(0), []);
  expect(summary(project)).toEqual(await startAfresh(folder));
}

describe('createProjectReader, with files that come and go while they are read', () => {
  it('answers with what is on disk once every change was reported', async () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 5 });
    await fc.assert(fc.asyncProperty(steps, check), { numRuns: 100, seed: 20 });
  });
});
