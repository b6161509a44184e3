import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { expect, it, onTestFinished } from 'vitest';
import { createProjectFolder } from '../../../test/loader/project-folder.js';
import { until } from '../../../test/loader/watched-project.js';
import { watchWithChokidar } from './chokidar-folders.js';

// On a network disk, the system reports no change that another machine makes.
it('looks for files and folders that come and go where the system names changed files', async () => {
  const { root } = createProjectFolder({ 'commands/a.ts': 'a' });
  const commands = path.join(root, 'commands');
  const events: (readonly [folder: string, event: string, name: string | null])[] = [];
  const chokidar = watchWithChokidar({
    // Its time does not pass: only chokidar reports something.
    clock: createFakeClock(),
    hasNames: true,
    ignored: () => false,
    isGone: () => false,
    onEvent(...event) {
      events.push(event);
      // A folder that has replaced another one, at the moment that chokidar reports it.
      chokidar.restart(commands);
    },
    onError(error) {
      throw error;
    },
  });
  onTestFinished(() => chokidar.close());
  chokidar.restart(commands);
  let count = 0;
  // The first reading of a folder is the one that later ones are compared with.
  const isNoticed = (change: (nth: number) => void): Promise<unknown> => {
    events.length = 0;
    return until(() => {
      change((count += 1));
      expect(events).toContainEqual([commands, 'change', null]);
    }, 200);
  };
  const pathOf = (nth: number): string => path.join(commands, String(nth));
  await isNoticed((nth) => writeFileSync(pathOf(nth), 'new'));
  await isNoticed((nth) => mkdirSync(pathOf(nth)));
  count = 0;
  await isNoticed((nth) => rmSync(pathOf(nth), { recursive: true }));
});

it('looks for a deleted folder again, which chokidar may not have seen go and come back', async () => {
  const { root } = createProjectFolder({ 'a.ts': 'a' });
  const clock = createFakeClock();
  const events: unknown[] = [];
  const chokidar = watchWithChokidar({
    clock,
    hasNames: true,
    ignored: () => false,
    isGone: () => true,
    onEvent: (...event) => events.push(event),
    onError(error) {
      throw error;
    },
  });
  onTestFinished(() => chokidar.close());
  chokidar.restart(root);
  const found = [root, 'change', null];
  await until(() => expect(events).toEqual([found]));
  await clock.advance(499);
  expect(events).toEqual([found]);
  await clock.advance(1);
  expect(events).toEqual([found, found]);
});
