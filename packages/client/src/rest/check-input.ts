import { isObject } from '@virgule/core/objects';
import {
  CONTENT_MAX_LENGTH,
  CONTENT_MIN_LENGTH,
  type Endpoint,
  type EndpointName,
} from '@virgule/core/protocol';
import { clientErrors } from '../errors/client-errors.js';
import { PRIORITY_CLASSES } from '../request/call.js';
import { redact } from '../request/token.js';
import type { ApiInput } from './api.js';
import type { CallOptions } from './rest-options.js';

type Fields = Readonly<Record<string, unknown>>;

/** Returns what a value must be, or `undefined` when it is. */
type Check = (value: unknown, all: Fields) => string | undefined;

/** A list and not a record: every call iterates over some. */
type Checks = readonly { readonly field: string; readonly check: Check }[];

function checksOf(checks: Readonly<Record<string, Check>>): Checks {
  return Object.entries(checks).map(([field, check]) => ({ field, check }));
}

function must(be: string, isValid: (value: unknown, all: Fields) => boolean): Check {
  return (value, all) => (isValid(value, all) ? undefined : be);
}

function optional(check: Check): Check {
  return (value, all) => (isGiven(value) ? check(value, all) : undefined);
}

/** A UUID with any version bits. */
export const ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const ONE_EMOJI = 'either a unicodeEmoji or a customEmojiId';

const isId = must(
  'an id like 5e9b3c17-a264-4d80-b91e-07f3c8d5624a',
  (value) => typeof value === 'string' && ID.test(value),
);
const isCount = (min: number): Check =>
  optional(
    must(
      `a whole number, ${min} or more`,
      (value) => Number.isInteger(value) && Number(value) >= min,
    ),
  );
const isName = must(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
);
const isSize = must(
  'a whole number of bytes',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
/** In an answer, null means no text. */
const isContent = (mayBeNull: boolean): Check =>
  must(`${CONTENT_MIN_LENGTH} to ${CONTENT_MAX_LENGTH} characters`, (value, { attachments }) => {
    const hasAny = Array.isArray(attachments) && attachments.length > 0;
    if (value === null) return mayBeNull && hasAny;
    if (typeof value !== 'string' || value.length > CONTENT_MAX_LENGTH) return false;
    return value.length >= CONTENT_MIN_LENGTH || hasAny;
  });

const MESSAGE = checksOf({ replyToMessageId: optional(isId), content: isContent(false) });
const ANSWER = checksOf({ replyToMessageId: optional(isId), content: isContent(true) });

const BODY: Partial<Readonly<Record<EndpointName, Checks>>> = {
  'messages.send': MESSAGE,
  'messages.edit': MESSAGE,
  'interactions.respond': ANSWER,
  'interactions.followUp': ANSWER,
  'interactions.editResponse': MESSAGE,
  'attachments.openUpload': checksOf({ fileName: isName, contentType: isName, size: isSize }),
  // An empty list is a set of commands too; without a list, every command would be deleted.
  'commands.replace': checksOf({ commands: must('an array of commands', Array.isArray) }),
};

const EMOJI = checksOf({ customEmojiId: optional(isId) });

const QUERY: Partial<Readonly<Record<EndpointName, Checks>>> = {
  'messages.list': checksOf({ before: optional(isId), limit: isCount(1) }),
  'messages.context': checksOf({ before: isCount(0), after: isCount(0) }),
  'reactions.list': EMOJI,
  'reactions.details': EMOJI,
};

const REACTIONS: ReadonlySet<EndpointName> = new Set([
  'reactions.add',
  'reactions.remove',
  'reactions.removeUser',
]);

const OPTIONS = checksOf({
  deadlineMs: must(
    'a number of milliseconds, 0 or more',
    (value) => value === undefined || (typeof value === 'number' && value >= 0),
  ),
  signal: must(
    'an AbortSignal',
    (value) => !isGiven(value) || typeof Object(value).addEventListener === 'function',
  ),
  // The client itself sets that of calls for answers to commands.
  priority: must(
    "'awaited' or 'background'",
    (value) => value === undefined || PRIORITY_CLASSES.some((each) => each === value),
  ),
  onRetry: must('a function', (value) => value === undefined || typeof value === 'function'),
});

/**
 * Refuses what the platform could only refuse, before it is sent.
 *
 * @throws VirguleError `E_INVALID_CALL`.
 */
export function checkInput(
  { name, body: bodySchema }: Endpoint,
  { parameters, query, body }: ApiInput,
  token: string,
): void {
  for (const field in parameters) {
    const value = parameters[field];
    const expected = isId(value, parameters);
    if (expected !== undefined)
      throw invalidCall(name, field, expected, describeSeen(value, token));
  }
  // Objects of named fields; which ones are there is what is being checked.
  if (query !== undefined) check(name, query as Fields, QUERY[name], token);
  if (bodySchema === undefined) return;
  if (!isObject(body)) {
    const seen = describeSeen(body, token);
    throw invalidCall(name, 'body', 'an object such as { content: "Hello" }', seen);
  }
  check(name, body as Fields, BODY[name], token);
  if (REACTIONS.has(name)) checkEmoji(name, body as Fields, token);
  else if (name === 'commands.replace') checkCommands(name, body as Fields, token);
}

/**
 * Checks what every method takes as its last argument.
 *
 * @throws VirguleError `E_INVALID_CALL`, also for a time that never comes, such as NaN.
 */
export function checkOptions(endpoint: string, options: unknown): void {
  if (options === undefined) return;
  if (!isObject(options)) {
    const seen = describeSeen(options);
    throw invalidCall(endpoint, 'options', 'an object such as { deadlineMs: 5_000 }', seen);
  }
  // Those of nearly every call, by name: a table of checks takes ten times as long to say that they are valid.
  const { deadlineMs = 0, signal, priority, onRetry } = options as CallOptions;
  const isUsual =
    typeof deadlineMs === 'number' &&
    deadlineMs >= 0 &&
    signal === undefined &&
    priority === undefined &&
    (onRetry === undefined || typeof onRetry === 'function');
  if (!isUsual) check(endpoint, options as Fields, OPTIONS, '');
}

/**
 * Checks options that are numbers, `undefined` for a default.
 *
 * @throws VirguleError `E_INVALID_CALL`: with a time that is not a number, a wait would never end.
 */
export function checkNumbers(
  endpoint: string,
  options: Readonly<Record<string, unknown>>,
  min = 0,
): void {
  for (const [field, value] of Object.entries(options)) {
    if (value === undefined || (typeof value === 'number' && value >= min)) continue;
    throw invalidCall(endpoint, field, `a number, ${min} or more`, describeSeen(value));
  }
}

/** @throws VirguleError `E_INVALID_CALL` for anything but a list. What is in it is checked when it is read. */
export function checkFiles(endpoint: string, files: unknown): void {
  if (Array.isArray(files)) return;
  throw invalidCall(endpoint, 'files', 'an array of files', describeSeen(files));
}

function check(endpoint: string, all: Fields, checks: Checks = [], token: string): void {
  for (const each of checks) {
    const { field } = each;
    const value = all[field];
    const expected = each.check(value, all);
    if (expected === undefined) continue;
    const isText = field === 'content' && typeof value === 'string';
    const seen = isText ? `${value.length} characters` : describeSeen(value, token);
    throw invalidCall(endpoint, field, expected, seen);
  }
}

function checkCommands(name: EndpointName, { commands }: Fields, token: string): void {
  // It is an array: that was checked before.
  for (const [index, command] of (commands as readonly unknown[]).entries()) {
    if (typeof Object(command).name === 'string') continue;
    const seen = describeSeen(command, token);
    throw invalidCall(name, `commands[${index}]`, 'a command with a name', seen);
  }
}

function checkEmoji(name: EndpointName, body: Fields, token: string): void {
  const { unicodeEmoji, customEmojiId } = body;
  const isUnicode = isGiven(unicodeEmoji) && unicodeEmoji !== '';
  if (isUnicode === isGiven(customEmojiId)) {
    throw invalidCall(name, 'emoji', ONE_EMOJI, isUnicode ? 'both' : 'none');
  }
  if (!isUnicode) check(name, body, EMOJI, token);
  else if (typeof unicodeEmoji !== 'string') {
    throw invalidCall(name, 'emoji', ONE_EMOJI, describeSeen(unicodeEmoji, token));
  }
}

export function invalidCall(
  endpoint: string,
  field: string,
  expected: string,
  seen: string,
): Error {
  return clientErrors.E_INVALID_CALL({ endpoint, field, expected, seen });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A longer text is cut: it ends up in an error and a log. */
const MAX_LENGTH = 60;

/** A value in a few words for an error: short, on one line, and never the token. */
export function describeSeen(value: unknown, token = ''): string {
  if (typeof value === 'string') {
    const text = redact(value, token);
    return JSON.stringify(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
  }
  if (Array.isArray(value)) return 'an array';
  if (isObject(value)) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
