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
  const typeOf = (file: string) =>
    `typeof import(${JSON.stringify(`../${file.replace(/tsx?$/, 'js')}`)})`;
  const members = [
    ...(config === null ? [] : [`config: ${typeOf(config)};`]),
    ...(services === null ? [] : [`services: ${typeOf(services)};`]),
    'tasks: {',
    ...tasks.map(({ name, file }) => `  ${JSON.stringify(name)}: ${typeOf(file)};`),
    '};',
  ];
  const isEmpty = config === null && services === null && tasks.length === 0;
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
  if (before === text || (before === undefined && isEmpty)) return undefined;
  try {
    writeStateFile(path, text);
    return undefined;
  } catch (error) {
    return cliErrors.E_STATE_UNWRITABLE({ folder: FILE, reason: errorText(error) });
  }
}
