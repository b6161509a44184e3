import { isDeepStrictEqual } from 'node:util';
import { isObject, isRecord } from '@virgule/core/objects';
import { assignWords, skipCommandName, splitWords } from '@virgule/core/raw-input';
import type { OptionSpec } from '../../options/option-spec.js';
import { idsIn, isSameId, readMessage } from '../../options/references.js';
import { formatRawInput, textOf } from './format-raw-input.js';
import type { InputCommand } from './format-usage.js';
import { inputFailure, shownText, type InputFailureFacts } from './input-failure.js';

/** Maximum number of characters of the values of one call, with a blank between items of a list. */
const MAX_LENGTH = 65_536;

/**
 * Returns the line that a user would type for the options of a call. Refuses unknown keys, and values that no line carries:
 * the line is read again and must have each value as it was given.
 *
 * @param given - options by key, not checked yet: a language model may have written them.
 * @param onlyChannelId - the only channel that the options may name. @defaultValue any channel
 *
 * @returns the line, and the words of the options by key, with which a call has an equal line; if the options are refused, the
 * failure, and the line of the command without options.
 */
export function lineOfCall(command: InputCommand, given: unknown, onlyChannelId?: string) {
  const { name, spec } = command;
  const { options } = spec;
  const refuse = (facts: Omit<InputFailureFacts, 'kind'>) => {
    const line = `/${name}`;
    return { line, words: {}, refused: inputFailure(command, line, { kind: 'invalid', ...facts }) };
  };
  const values = given ?? {};
  if (!isRecord(values)) return refuse({ reason: 'the options must be an object' });
  const unknown = Object.keys(values).find((key) => !options.some((option) => option.key === key));
  if (unknown !== undefined)
    return refuse({ reason: `there is no option "${shownText(unknown)}"` });

  const words: Record<string, string | readonly string[] | undefined> = {};
  for (const option of options) {
    const { key, expected, input } = option;
    const texts = textsOf(option, Object.hasOwn(values, key) ? values[key] : undefined);
    if (texts === null) return refuse({ option: option.name, expected });
    if (onlyChannelId && texts?.some((text) => isElsewhere(option, text, onlyChannelId)))
      return refuse({ option: option.name, reason: 'only this channel can be named here' });
    if (texts) words[key] = input === 'list' ? texts : texts[0];
  }
  if (Object.values(words).flat().join(' ').length > MAX_LENGTH)
    return refuse({ reason: `the options are longer than ${MAX_LENGTH} characters` });

  const line = formatRawInput(command, values);
  const { values: assigned } = assignWords(line, skipCommandName(line, name), options);
  const lost = options.find(({ key, input }, index) => {
    const typed = assigned[index]?.typed;
    const read = input === 'list' && typed !== undefined ? splitWords(String(typed)) : typed;
    return !isDeepStrictEqual(words[key], read);
  });
  return lost
    ? refuse({ option: lost.name, expected: lost.expected })
    : { line, words, refused: undefined };
}

/** Returns the words of a value, one for each item of a list; `null` for a value that is no word, such as an object. */
function textsOf(option: OptionSpec, value: unknown): readonly string[] | undefined | null {
  const { input, item = option } = option;
  if (value === undefined || value === null) return undefined;
  const isFit = input === 'list' ? Array.isArray(value) : !Array.isArray(value);
  const words = [value].flat();
  return isFit && words.every(isWord) ? words.map((each) => textOf(item, each)) : null;
}

/** Returns whether a value is a word, or a reference with the word as its text. */
function isWord(value: unknown): boolean {
  if (!isObject(value)) return ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
  // Only a member that is a function makes a text; JSON has no functions.
  return 'id' in value && Object.hasOwn(value, 'toString') && typeof value.toString === 'function';
}

/**
 * Returns whether a word names another channel, or a message of one. The schema may take the channel out of a longer text. A
 * message without its channel is of this one.
 */
function isElsewhere(option: OptionSpec, text: string, channelId: string): boolean {
  const { expected, canNamePlace } = option.item ?? option;
  if (!canNamePlace) return false;
  // A name is looked up, and may be that of another channel.
  if (/(?<!<)#/.test(text)) return true;
  const ids = idsIn(text);
  if (expected.kind !== 'message') return ids.some((id) => !isSameId(id, channelId));
  const linked = readMessage(text.trim())?.channelId;
  return linked === undefined ? ids.length > 1 : !isSameId(linked, channelId);
}
