import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '@virgule/core/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { watchProject } from '../../src/loader/watch/watch-project.js';
import { createProjectFolder } from './project-folder.js';
import { until } from './watched-project.js';

const FOLDERS = ['.', 'a', 'a/b', 'c', 'c/d'] as const;
const FILES = FOLDERS.flatMap((folder) => [`${folder}/x.ts`, `${folder}/y.ts`]);

type Step =
  | { readonly kind: 'write' | 'replace'; readonly path: string; readonly size: number }
  | { readonly kind: 'remove'; readonly path: string }
  /** Removes a folder with all in it, and writes a file there: the new one may have its inode. */
  | { readonly kind: 'renew'; readonly path: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }
  /** Lets the events of the system arrive. */
  | { readonly kind: 'turn' };

const file = fc.constantFrom(...FILES);
const folder = fc.constantFrom(...FOLDERS.slice(1));
const size = fc.integer({ min: 1, max: 1_000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('write' as const, 'replace' as const), path: file, size }),
  fc.record({ kind: fc.constant('remove' as const), path: fc.oneof(file, folder) }),
  fc.record({ kind: fc.constant('renew' as const), path: folder }),
  fc.record({ kind: fc.constant('move' as const), path: folder, to: folder }),
  fc.record({ kind: fc.constant('move' as const), path: file, to: file }),
  fc.record({ kind: fc.constant('turn' as const) }),
);

function write(target: string, text: string): void {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

async function take(root: string, next: Step): Promise<void> {
  if (next.kind === 'turn') return systemClock.sleep(0);
  const target = join(root, next.path);
  if (next.kind === 'remove') rmSync(target, { recursive: true, force: true });
  else if (next.kind === 'renew') {
    rmSync(target, { recursive: true, force: true });
    write(`${target}/x.ts`, 'renewed');
  } else if (next.kind === 'write') write(target, 'w'.repeat(next.size));
  else if (next.kind === 'replace') {
    write(`${target}.new`, 'r'.repeat(next.size));
    renameSync(`${target}.new`, target);
  } else if (next.kind === 'move') {
    const to = join(root, next.to);
    if (!existsSync(target) || to.startsWith(target) || target.startsWith(to)) return;
    mkdirSync(dirname(to), { recursive: true });
    rmSync(to, { recursive: true, force: true });
    renameSync(target, to);
  }
}

const textOf = (target: string): string | undefined =>
  statSync(target, { throwIfNoEntry: false })?.isFile() ? readFileSync(target, 'utf8') : undefined;

/** Returns the files on disk with their texts. */
const filesIn = (root: string): Record<string, string | undefined> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((name) => join(root, name))
      .filter((target) => target.endsWith('.ts'))
      .map((target) => [target, textOf(target)]),
  );

async function check(steps: readonly Step[]): Promise<void> {
  const { root } = createProjectFolder({});
  /** Contents of each file when it was reported. */
  const read: Record<string, string | undefined> = {};
  const onError = (error: unknown): never => {
    throw error;
  };
  using _ = watchProject({
    root,
    clock: systemClock,
    onError,
    onChange(changed) {
      const text = textOf(changed);
      if (text === undefined) delete read[changed];
      else read[changed] = text;
    },
  });
  for (const next of steps) await take(root, next);
  await until(() => expect(read).toEqual(filesIn(root)));
  // It continues in each folder.
  for (const name of FILES) write(join(root, name), `last of ${name}`);
  await until(() => expect(read).toEqual(filesIn(root)));
}

describe('watchProject, after any changes', () => {
  it('has reported each file since it changed last', async () => {
    const steps = fc.array(step, { minLength: 5, maxLength: 60 });
    await fc.assert(fc.asyncProperty(steps, check), { numRuns: 60, seed: 20 });
  });
});
