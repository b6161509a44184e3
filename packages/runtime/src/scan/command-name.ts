import { NAME_PATTERN } from '@virgule/core/protocol';
import { isGroup, type SourceFile } from './project-paths.js';

const MAX_LENGTH = 32;

/** Returns the name of the command in a file: the names of the folders and of the file, joined. Empty for the index of the commands folder. */
export function commandName({ folders, stem }: SourceFile, separator: string): string {
  const named = folders.filter((folder) => !isGroup(folder));
  if (stem !== 'index') named.push(stem);
  return named.map(kebabCase).join(separator);
}

/** Returns the reason why the platform would refuse a name, as the end of a sentence; `null` for a valid name. */
export function refusalOf(name: string): string | null {
  if (name === '') return 'is the index of the commands folder and has no name';
  if (NAME_PATTERN.test(name)) return null;
  if (name.length > MAX_LENGTH)
    return `is ${name.length} characters long, and ${MAX_LENGTH} are allowed`;
  const bad = [...new Set([...name].filter((character) => !/[a-z0-9_-]/.test(character)))];
  if (bad.length === 0) return `starts with "${name.slice(0, 1)}"`;
  return `contains ${bad.map((character) => `"${character}"`).join(', ')}`;
}

/** Converts a name to kebab case: `playNext` and `PlayNext` become `play-next`, `HTTPStatus` becomes `http-status`. */
export function kebabCase(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
