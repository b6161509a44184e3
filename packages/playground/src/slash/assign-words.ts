import type { CommandOption } from '@virgule/core/protocol';
import type { Word } from './split-words.js';

/** A value that was typed for an option. */
export interface GivenValue {
  readonly option: CommandOption;
  readonly text: string;
  /** Where the value stands in the line. */
  readonly start: number;
  readonly end: number;
}

export interface Assignment {
  readonly given: readonly GivenValue[];
  /** The positional option that the next word would fill. */
  readonly next: CommandOption | null;
  /** Words that no option takes. */
  readonly surplus: readonly Word[];
}

interface Named {
  readonly option: CommandOption;
  readonly text: string;
  readonly start: number;
  /** `--name value`: the value is the word that follows. */
  readonly takesNext: boolean;
}

function readNamed(word: Word, options: readonly CommandOption[]): Named | null {
  if (word.isQuoted) return null;
  const found = /^(?:--([\w-]+)(=?)|([\w-]+):(?!\/\/))/.exec(word.text);
  if (found === null) return null;
  const name = found[1] ?? found[3] ?? '';
  const option = options.find((item) => item.name === name);
  const negated = options.find((item) => item.type === 'boolean' && name === `no-${item.name}`);
  if (option === undefined && negated !== undefined) {
    return { option: negated, text: 'false', start: word.start, takesNext: false };
  }
  if (option === undefined) return null;
  const isFlag = found[1] !== undefined && found[2] === '';
  if (isFlag) {
    const isBoolean = option.type === 'boolean';
    return { option, text: isBoolean ? 'true' : '', start: word.start, takesNext: !isBoolean };
  }
  const text = word.text.slice(found[0].length).replace(/^(["'])(.*)\1$/s, '$2');
  return { option, text, start: word.start + found[0].length, takesNext: false };
}

/**
 * Gives the words of a line to the options of its command: by name (`--name value`, `--name=value`,
 * `name:value`) or else by position. A last option of type string takes the rest of the line.
 */
export function assignWords(
  options: readonly CommandOption[],
  words: readonly Word[],
  line: string,
): Assignment {
  const given: GivenValue[] = [];
  const surplus: Word[] = [];
  const open = () => options.filter((option) => !given.some((value) => value.option === option));
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    const named = readNamed(word, open());
    const target = named?.takesNext === true ? words[index + 1] : undefined;
    if (named !== null) {
      const { option } = named;
      if (target === undefined) {
        given.push({ option, text: named.text, start: named.start, end: word.end });
      } else {
        given.push({ option, text: target.text, start: target.start, end: target.end });
        index += 1;
      }
      continue;
    }
    const option = open()[0];
    if (option === undefined) {
      surplus.push(word);
      continue;
    }
    if (option === options.at(-1) && option.type === 'string') {
      const end = line.trimEnd().length;
      given.push({ option, text: line.slice(word.start, end), start: word.start, end });
      return { given, next: null, surplus };
    }
    given.push({ option, text: word.text, start: word.start, end: word.end });
  }
  return { given, next: open()[0] ?? null, surplus };
}
