import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { createFakeClock, systemClock } from '@virgule/core/clock';
import { expect, vi } from 'vitest';
import { watchProject } from '../../src/loader/watch/watch-project.js';
import { createProjectFolder } from './project-folder.js';
import { until } from './watched-project.js';

/** A file, the folder that is deleted with it, and the path by which the project knows the file. */
interface Place {
  readonly file: string;
  readonly deleted: string;
  readonly added?: readonly string[];
  readonly link?: readonly [target: string, link: string];
  readonly reported?: string;
}

const PLACES: Record<string, Place> = {
  'of the project': { file: 'bot/a/b/x.ts', deleted: 'bot/a' },
  'outside of the project': { file: 'lib/x.ts', deleted: 'lib', added: ['lib'] },
  'in another folder, which is deleted too': {
    file: 'lib/src/x.ts',
    deleted: 'lib',
    added: ['lib/src'],
  },
  'in another folder, which stays': {
    file: 'lib/src/x.ts',
    deleted: 'lib/src',
    added: ['lib', 'lib/src'],
  },
  'that a link leads to': {
    file: 'lib/src/x.ts',
    deleted: 'lib',
    link: ['lib', 'bot/linked'],
    reported: 'bot/linked/src/x.ts',
  },
  'of a linked file': {
    file: 'lib/x.ts',
    deleted: 'lib',
    added: ['lib'],
    link: ['lib/x.ts', 'bot/x.ts'],
  },
};

/** Watchers of systems that name the files that change, that do not, and of disks that report no changes. */
const SYSTEMS = {
  'the system names files': { platform: 'linux', poll: false },
  'the system names no files': { platform: 'darwin', poll: false },
  'files are polled': { platform: 'linux', poll: true },
} as const;

type System = keyof typeof SYSTEMS;

const PAUSES = [
  'at once',
  'when its deletion is noticed',
  'when its deletion is reported',
] as const;

/** Returns the rows of `continuesIn`: every place and pause. chokidar polls in real time, so no pause is a short one. */
export const rowsOf = (...systems: readonly System[]) =>
  Object.keys(PLACES).flatMap((place) =>
    systems.flatMap((system) =>
      PAUSES.filter(
        (pause) => !SYSTEMS[system].poll || pause !== 'when its deletion is noticed',
      ).map((pause) => [place, pause, system] as const),
    ),
  );

/**
 * Deletes and writes a folder, twice, and a file in it afterwards. All that needs no time happens within a moment. Returns
 * how many of these four changes were reported.
 */
export async function continuesIn(
  place: string,
  pause: (typeof PAUSES)[number],
  system: System,
): Promise<number> {
  const { file, deleted, added = [], link, reported = file } = PLACES[place]!;
  const { platform, poll } = SYSTEMS[system];
  const files = createProjectFolder({ 'bot/z.ts': 'z', [file]: 'text' });
  if (link) symlinkSync(files.path(link[0]), files.path(link[1]));
  const fake = poll ? undefined : createFakeClock();
  const seen = new Set<string>();
  vi.stubGlobal('process', Object.create(process, { platform: { value: platform } }));
  using watcher = watchProject({
    root: files.path('bot'),
    poll,
    clock: fake ?? systemClock,
    onChange: (changed) => seen.add(path.relative(files.root, changed)),
    onError(error) {
      throw error;
    },
  });
  vi.unstubAllGlobals();
  watcher.add(added.map((folder) => files.path(folder)));
  const isTrue = (check: () => unknown): Promise<unknown> =>
    until(async () => {
      await fake?.advance(10);
      check();
    }, 1);
  const isSeen = (): Promise<unknown> =>
    isTrue(() => expect(seen, `${place}, ${pause}`).toContain(reported));
  const pauses = {
    'at once': () => undefined,
    // The deleted file is about to be checked again, or was.
    'when its deletion is noticed': () =>
      isTrue(() => expect(fake?.pending || seen.size).toBeTruthy()),
    'when its deletion is reported': isSeen,
  };
  let count = 0;
  for (const round of ['first', 'second']) {
    seen.clear();
    files.remove(deleted);
    // Systems that name no files do not use the inode numbers of deleted folders again, unlike Linux, which runs this test.
    if (platform !== 'linux')
      for (const inode of ['1', '2', '3']) files.write(`taken/${round}/${inode}/file`, 'text');
    await pauses[pause]();
    seen.clear();
    files.write(file, `${round} text`);
    await isSeen();
    count += 1;
  }
  for (const text of ['longer', 'and longer']) {
    // Nothing is left to be checked again.
    await fake?.advance(5_000);
    seen.clear();
    files.write(file, text);
    await isSeen();
    count += 1;
  }
  return count;
}
