import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '@virgule/core/clock';
import { expect, it, onTestFinished } from 'vitest';
import { createProjectFolder } from '../../../test/loader/project-folder.js';
import { until } from '../../../test/loader/watched-project.js';
import { watchWithChokidar } from './chokidar-folders.js';

// On a network disk, the system reports no change that another machine makes.
it('looks for files and folders that come and go where the system names changed files', async () => {
  const { root } = createProjectFolder({ 'commands/a.ts': 'a' });
  const commands = path.join(root, 'commands');
  const compared = new Set<string>();
  const checked = new Set<string>();
  const chokidar = watchWithChokidar({
    clock: systemClock,
    hasNames: true,
    ignored: () => false,
    check: (file) => checked.add(file),
    compare(folder) {
      compared.add(folder);
      // A folder that has replaced another one, at the moment that chokidar reports it.
      chokidar.restart(folder);
    },
    folders: () => [],
    onError(error) {
      throw error;
    },
  });
  onTestFinished(() => chokidar.close());
  chokidar.restart(root);
  let count = 0;
  // The first reading of a folder is the one that later ones are compared with.
  await until(() => {
    writeFileSync(path.join(commands, `new-${(count += 1)}.ts`), 'new');
    expect(compared).toContain(commands);
  }, 200);
  mkdirSync(path.join(commands, 'deep'));
  await until(() => expect(checked).toContain(path.join(commands, 'deep')));
  compared.clear();
  rmSync(path.join(commands, 'a.ts'));
  await until(() => expect(compared).toContain(commands));
});
