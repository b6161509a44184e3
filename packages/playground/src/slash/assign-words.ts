import type { CommandOption } from '@virgule/core/protocol';
import { splitWords, type Word } from './split-words.js';

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
  readonly isApart: boolean;
  readonly isQuoted: boolean;
}

// Phones make one long dash of two.
const NAMED = /^(?:(?:--|—)([\w-]+)(=|$)|([\w-]+):(?!\/\/))/;

function readNamed(word: Word, options: readonly CommandOption[], line: string): Named | null {
  if (word.isQuoted) return null;
  const found = NAMED.exec(word.text);
  if (found === null) return null;
  const start = word.start + found[0].length;
  // A colon before a blank is a colon; at the end of the line its value may still be typed.
  if (found[3] !== undefined && start === word.end && word.end < line.length) return null;
  const name = found[3] ?? found[1]?.toLowerCase() ?? '';
  const isApart = found[1] !== undefined && found[2] === '';
  const option = options.find((item) => item.name === name);
  if (option === undefined) {
    const negated = options.find((item) => item.type === 'boolean' && name === `no-${item.name}`);
    if (negated === undefined || !isApart) return null;
    return { option: negated, text: 'false', start: word.start, isApart: false, isQuoted: false };
  }
  if (isApart) {
    const text = option.type === 'boolean' ? 'true' : '';
    return { option, text, start: word.start, isApart, isQuoted: false };
  }
  const value = word.text.slice(found[0].length);
  const [quoted] = splitWords(value);
  const isQuoted = quoted?.isQuoted === true && quoted.end === value.length;
  return { option, text: isQuoted ? quoted.text : value, start, isApart, isQuoted };
}

/** The word that is the value of `--name`, if there is one. */
function valueOf(
  { option, isApart }: Named,
  following: Word | undefined,
  isNamed: (word: Word) => boolean,
): Word | undefined {
  if (!isApart || following === undefined) return undefined;
  // "--loud yes" may well be a flag before a text that begins with "yes".
  if (option.type === 'boolean') {
    const isValue = !following.isQuoted && /^(?:true|false)$/i.test(following.text);
    return isValue ? following : undefined;
  }
  return isNamed(following) ? undefined : following;
}

/**
 * Gives the words of a line to the options of its command: by name (`--name value`, `--name=value`,
 * `name:value`) or else by position. A last option of type string takes the rest of the line, or
 * after its name one quoted text.
 */
export function assignWords(
  options: readonly CommandOption[],
  words: readonly Word[],
  line: string,
): Assignment {
  const given: GivenValue[] = [];
  const surplus: Word[] = [];
  const open = () => options.filter((option) => !given.some((value) => value.option === option));
  const takesRest = (option: CommandOption) =>
    option === options.at(-1) && option.type === 'string';
  const giveRest = (option: CommandOption, start: number): Assignment => {
    const end = line.trimEnd().length;
    given.push({ option, text: line.slice(start, end), start, end });
    return { given, next: null, surplus };
  };

  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    const named = readNamed(word, open(), line);
    if (named !== null) {
      const { option } = named;
      const value = valueOf(named, words[index + 1], (next) => {
        return !takesRest(option) && readNamed(next, open(), line) !== null;
      });
      if (value !== undefined) {
        if (takesRest(option) && !value.isQuoted) return giveRest(option, value.start);
        given.push({ option, text: value.text, start: value.start, end: value.end });
        index += 1;
      } else {
        const isBegun = !named.isApart && !named.isQuoted && named.text !== '';
        if (takesRest(option) && isBegun) return giveRest(option, named.start);
        given.push({ option, text: named.text, start: named.start, end: word.end });
      }
      continue;
    }
    const option = open()[0];
    if (option === undefined) {
      surplus.push(word);
      continue;
    }
    if (takesRest(option)) return giveRest(option, word.start);
    given.push({ option, text: word.text, start: word.start, end: word.end });
  }
  return { given, next: open()[0] ?? null, surplus };
}
