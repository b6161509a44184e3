import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, type VirguleError } from '@virgule/core/errors';
import { STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
import { orUndefined } from '@virgule/core/objects';
import type { Manifest } from '@virgule/runtime/project';
import { cliErrors } from '../terminal/cli-errors.js';

const FILE = `${STATE_FOLDER}/types.d.ts`;

/**
 * Declares the settings, services and tasks of a project in `.virgule/types.d.ts`. Writes only changes, so that neither
 * editors nor watchers are disturbed. Returns a warning if the file cannot be written.
 */
export function writeTypes(
  root: string,
  { config, services, tasks }: Pick<Manifest, 'config' | 'services' | 'tasks'>,
): VirguleError | undefined {
  const member = (name: string, file: string | null): string[] =>
    file === null
      ? []
      : [`${name}: typeof import(${JSON.stringify(`../${file.replace(/tsx?$/, 'js')}`)});`];
  const found = tasks.flatMap(({ name, file }) => member(JSON.stringify(name), file));
  const members = [
    ...member('config', config),
    ...member('services', services),
    ...(found.length === 0 ? [] : [`tasks: {\n        ${found.join('\n        ')}\n      };`]),
  ];
  const path = join(root, FILE);
  const before = orUndefined(() => readFileSync(path, 'utf8'));
  const text = `// Written by virgule dev, check and build.
export {};
declare module 'virgule' {
  interface Register {
    files: {
      ${members.join('\n      ')}
    };
  }
}
`;
  if (before === text || (before === undefined && members.length === 0)) return undefined;
  try {
    writeStateFile(path, text);
    return undefined;
  } catch (error) {
    return cliErrors.E_STATE_UNWRITABLE({ folder: FILE, reason: errorText(error) });
  }
}
