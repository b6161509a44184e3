import { asWord } from '../slash/option-values.js';
import type { SlashLine } from '../slash/read-slash.js';
import type { ComposerFile } from './composer-files.js';

/** Returns the files that the command in the line sends, or does not send. */
export function filesOf(line: SlashLine | null, files: readonly ComposerFile[], isUsed: boolean) {
  if (line?.kind !== 'command') return [];
  const names = line.given.map(({ option, text }) => option.type === 'attachment' && text);
  return files.filter(({ name }) => names.includes(name) === isUsed);
}

/** Returns the text of a command with the first unused file as the value of its only option that takes a file. */
export function withFile(typed: string, line: SlashLine | null, files: readonly ComposerFile[]) {
  const [file] = filesOf(line, files, false);
  if (line?.kind !== 'command' || file === undefined) return typed;
  const [option, ...others] = line.command.options.filter(({ type }) => type === 'attachment');
  const isGiven = line.given.some((each) => each.option.name === option?.name);
  if (option === undefined || others.length > 0 || isGiven) return typed;
  return typed.replace(/\s|$/, ` --${option.name} ${asWord(file.name)} `);
}
