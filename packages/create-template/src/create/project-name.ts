import { basename } from 'node:path';
import { createErrors } from './create-errors.js';

/** The longest package name npm takes. */
const NAME_MAX_LENGTH = 214;

/**
 * The package name for a bot in this folder: the folder's name in the letters npm allows.
 *
 * @throws VirguleError `E_CREATE_NAME` when nothing is left of it.
 */
export function projectName(folder: string): string {
  const name = basename(folder)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .replace(/-+$/, '')
    .slice(0, NAME_MAX_LENGTH);
  if (name === '') throw createErrors.E_CREATE_NAME({ folder: basename(folder) });
  return name;
}
