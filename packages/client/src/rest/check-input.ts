import { UUID } from '@virgule/core/text';
import { describeSeen, isObject } from '@virgule/core/objects';
import {
  CONTENT_MAX_LENGTH,
  CONTENT_MIN_LENGTH,
  type Endpoint,
  type EndpointName,
} from '@virgule/core/protocol';
import { clientErrors } from '../errors/client-errors.js';
import type { SendOptions } from '../request/call.js';
import { redact } from '../request/token.js';

export interface ApiInput {
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Description of valid values, and the test of a value among all fields. */
type Check = readonly [expected: string, isValid: (value: unknown, all: Fields) => boolean];

const optional = ([expected, isValid]: Check): Check => [
  expected,
  (value, all) => !isGiven(value) || isValid(value, all),
];

/** A UUID with any version bits. */
export const ID = new RegExp(`^${UUID}$`, 'i');

const isId: Check = [
  'an id like 5e9b3c17-a264-4d80-b91e-07f3c8d5624a',
  (value) => typeof value === 'string' && ID.test(value),
];
const isLimit: Check = [
  'a whole number, 1 or more',
  (value) => Number.isInteger(value) && Number(value) >= 1,
];
/** In an answer, null means no text. */
const isContent = (mayBeNull: boolean): Check => [
  `${CONTENT_MIN_LENGTH} to ${CONTENT_MAX_LENGTH} characters`,
  (value, { attachments }) => {
    const hasAny = Array.isArray(attachments) && attachments.length > 0;
    if (value === null) return mayBeNull && hasAny;
    if (typeof value !== 'string' || value.length > CONTENT_MAX_LENGTH) return false;
    return value.length >= CONTENT_MIN_LENGTH || hasAny;
  },
];

type Checks = Readonly<Record<string, Check>>;

const MESSAGE: Checks = { replyToMessageId: optional(isId), content: isContent(false) };
const ANSWER: Checks = { replyToMessageId: optional(isId), content: isContent(true) };
const EMOJI: Checks = { customEmojiId: optional(isId) };

/** Checks of the endpoints with a query or a body. No endpoint has both. */
const CHECKS: Partial<Readonly<Record<EndpointName, Checks>>> = {
  'messages.list': { before: optional(isId), limit: optional(isLimit) },
  'messages.send': MESSAGE,
  'messages.edit': MESSAGE,
  'interactions.respond': ANSWER,
  'interactions.followUp': ANSWER,
  'interactions.editResponse': MESSAGE,
  'reactions.list': EMOJI,
  'reactions.details': EMOJI,
  // An empty list is a set of commands too; without a list, every command would be deleted.
  'commands.replace': { commands: ['an array of commands', Array.isArray] },
};

/** Refuses values that the platform would certainly refuse. @throws VirguleError `E_INVALID_CALL`. */
export function checkInput(
  { name, body: bodySchema }: Endpoint,
  { parameters, query, body }: ApiInput,
  token: string,
): void {
  const refuse: Refuse = (field, expected, value) => {
    throw invalidCall(name, field, expected, value, token);
  };
  for (const field in parameters) checkField(field, parameters, isId, refuse);
  const hasBody = bodySchema !== undefined;
  if (hasBody && !isObject(body)) refuse('body', 'an object such as { content: "Hello" }', body);
  // An object of named fields, whose presence is checked next.
  const all = (body ?? query ?? {}) as Fields;
  const checks = CHECKS[name];
  for (const field in checks) checkField(field, all, checks[field], refuse);
  if (hasBody && name.startsWith('reactions.')) checkEmoji(name, all, refuse);
  else if (name === 'commands.replace') checkCommands(all, refuse);
}

const NO_OPTIONS: Partial<SendOptions> = {};

/**
 * Copies the options of a call: a caller may pass an AbortController, whose `signal` is inherited.
 *
 * @throws VirguleError `E_INVALID_CALL`, also for a time that never comes, such as NaN.
 */
export function readOptions(endpoint: string, options = NO_OPTIONS, defaultMs = 0): SendOptions {
  if (!isObject(options))
    throw invalidCall(endpoint, 'options', 'an object such as { deadlineMs: 5_000 }', options);
  // Not with a table, as above: every call passes here.
  const { deadlineMs = defaultMs, signal, priority, onRetry, isRetry, isSequential } = options;
  if (typeof deadlineMs !== 'number' || !(deadlineMs >= 0))
    throw invalidCall(endpoint, 'deadlineMs', 'a number, 0 or more', deadlineMs);
  return { signal, deadlineMs, priority, onRetry, isRetry, isSequential };
}

/** Checks optional numbers: a wait for NaN would never end. @throws VirguleError `E_INVALID_CALL`. */
export function checkNumbers(
  endpoint: string,
  options: Readonly<Record<string, unknown>>,
  min = 0,
): void {
  for (const [field, value] of Object.entries(options)) {
    if (value === undefined || (typeof value === 'number' && value >= min)) continue;
    throw invalidCall(endpoint, field, `a number, ${min} or more`, value);
  }
}

/** @throws VirguleError `E_INVALID_CALL` for any value but a list. Each file is checked when it is read. */
export function checkFiles(endpoint: string, files: unknown): void {
  if (!Array.isArray(files)) throw invalidCall(endpoint, 'files', 'an array of files', files);
}

type Refuse = (field: string, expected: string, value: unknown) => never;

function checkField(field: string, all: Fields, check: Check | undefined, refuse: Refuse): void {
  const value = all[field];
  if (check && !check[1](value, all)) refuse(field, check[0], value);
}

function checkCommands({ commands }: Fields, refuse: Refuse): void {
  // `CHECKS` has verified that this is an array.
  for (const [index, command] of (commands as readonly unknown[]).entries())
    if (typeof Object(command).name !== 'string')
      refuse(`commands[${index}]`, 'a command with a name', command);
}

function checkEmoji(endpoint: EndpointName, body: Fields, refuse: Refuse): void {
  const { unicodeEmoji, customEmojiId } = body;
  const isUnicode = isGiven(unicodeEmoji) && unicodeEmoji !== '';
  const expected = 'either a unicodeEmoji or a customEmojiId';
  if (isUnicode === isGiven(customEmojiId)) {
    const seen = isUnicode ? 'both' : 'none';
    throw clientErrors.E_INVALID_CALL({ endpoint, field: 'emoji', expected, seen });
  }
  if (!isUnicode) checkField('customEmojiId', body, isId, refuse);
  else if (typeof unicodeEmoji !== 'string') refuse('emoji', expected, unicodeEmoji);
}

export function invalidCall(
  endpoint: string,
  field: string,
  expected: string,
  value: unknown,
  token = '',
): Error {
  const isText = field === 'content' && typeof value === 'string';
  const shown = typeof value === 'string' ? redact(value, token) : value;
  const seen = isText ? `${value.length} characters` : describeSeen(shown);
  return clientErrors.E_INVALID_CALL({ endpoint, field, expected, seen });
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
