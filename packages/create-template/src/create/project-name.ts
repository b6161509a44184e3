import { basename } from 'node:path';
import { createErrors } from './create-errors.js';

/** Maximum length of a package name in npm. */
const MAX_NAME_LENGTH = 214;

/** Names that npm refuses. */
const RESERVED: ReadonlySet<string> = new Set(['', 'node_modules', 'favicon.ico']);

/**
 * Returns the package name for a bot in a folder: the name of the folder, reduced to the characters that
 * npm allows.
 *
 * @throws VirguleError `E_CREATE_ARGUMENTS` if no character is left, or npm refuses the name.
 */
export function projectName(folder: string): string {
  const name = basename(folder)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .replace(/-+$/, '')
    .slice(0, MAX_NAME_LENGTH);
  if (RESERVED.has(name))
    throw createErrors.E_CREATE_ARGUMENTS({ kind: 'name', folder: basename(folder) });
  return name;
}
