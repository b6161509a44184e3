import { NAME_PATTERN } from '@virgule/core/protocol';
import { isGroup, type SourceFile } from './project-paths.js';

const MAX_LENGTH = 32;

/** Returns the name of a file's command: its folders and its own name, joined. Empty if it has none. */
export function commandName({ folders, stem }: SourceFile, separator: string): string {
  const named = folders.filter((folder) => !isGroup(folder));
  if (stem !== 'index') named.push(stem);
  return named.map(kebabCase).join(separator);
}

/** Returns why the platform would refuse a name, as the end of a sentence; `null` if it would not. */
export function refusalOf(name: string): string | null {
  if (name === '') return 'is the index of the commands folder and has no name';
  if (NAME_PATTERN.test(name)) return null;
  if (name.length > MAX_LENGTH)
    return `is ${name.length} characters long, and ${MAX_LENGTH} are allowed`;
  const bad = [...new Set([...name].filter((character) => !/[a-z0-9_-]/.test(character)))];
  if (bad.length === 0) return `starts with "${name.slice(0, 1)}"`;
  return `contains ${bad.map((character) => `"${character}"`).join(', ')}`;
}

/** Converts a name: `playNext` and `PlayNext` become `play-next`, `HTTPStatus` becomes `http-status`. */
export function kebabCase(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
