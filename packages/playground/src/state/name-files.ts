import { countOf, listOf } from '@virgule/core/text';

/** Maximum length of a name that is shown in full, in UTF-16 code units. */
const MAX_NAME_LENGTH = 40;
const MAX_NAMED = 3;

/** Returns names of files as a list in a sentence: long names are cut in the middle, and many files are counted. */
export function nameFiles(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).map(cutName);
  const others = names.length - named.length;
  return listOf(others === 0 ? named : [...named, countOf(others, 'other file')]);
}

function cutName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const half = MAX_NAME_LENGTH / 2;
  return `${name.slice(0, half)}…${name.slice(-half)}`;
}
