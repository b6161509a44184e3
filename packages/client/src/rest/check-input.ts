import { isObject } from '@virgule/core/objects';
import {
  CONTENT_MAX_LENGTH,
  CONTENT_MIN_LENGTH,
  type Endpoint,
  type EndpointName,
} from '@virgule/core/protocol';
import { clientErrors } from '../errors/client-errors.js';
import { PRIORITY_CLASSES } from '../request/priority.js';
import type { ApiInput } from './api-plan.js';
import { describeSeen } from './describe-seen.js';

/** Whose body carries a text, and whether it may be null next to attachments. */
const CONTENT: Partial<Readonly<Record<EndpointName, 'text' | 'text-or-null'>>> = {
  'messages.send': 'text',
  'messages.edit': 'text',
  'interactions.respond': 'text-or-null',
  'interactions.followUp': 'text-or-null',
  'interactions.editResponse': 'text',
};

const REACTIONS: ReadonlySet<EndpointName> = new Set([
  'reactions.add',
  'reactions.remove',
  'reactions.removeUser',
]);

/** A UUID with any version bits. */
const ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

const AN_ID = 'an id like 5e9b3c17-a264-4d80-b91e-07f3c8d5624a';

const CONTENT_LENGTH = `${CONTENT_MIN_LENGTH} to ${CONTENT_MAX_LENGTH} characters`;

const ONE_EMOJI = 'either a unicodeEmoji or a customEmojiId';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Refuses what the platform could only refuse, before it is sent. Plain comparisons and no closures:
 * every answer to a command passes here.
 *
 * @throws VirguleError `E_INVALID_CALL`.
 */
export function checkInput(
  { name, body: bodySchema }: Endpoint,
  { parameters, query, body }: ApiInput,
  token: string,
): void {
  for (const field in parameters) checkId(name, field, parameters[field], token);
  // Objects of named fields; which ones are there is what is being checked.
  if (query !== undefined) checkQuery(name, query as Fields, token);
  if (bodySchema === undefined) return;
  if (!isObject(body)) {
    const seen = describeSeen(body, token);
    throw invalid(name, 'body', 'an object such as { content: "Hello" }', seen);
  }
  if (CONTENT[name]) checkMessage(name, body as Fields, token);
  else if (REACTIONS.has(name)) checkEmoji(name, body as Fields, token);
  else if (name === 'commands.replace') checkCommands(name, body as Fields, token);
  else if (name === 'attachments.openUpload') checkFile(name, body as Fields, token);
}

/**
 * Checks what every method takes as its last argument. Plain comparisons: every call passes here.
 *
 * @throws VirguleError `E_INVALID_CALL`, also for a time that never comes, such as NaN.
 */
export function checkOptions(endpoint: string, options: unknown): void {
  if (options === undefined) return;
  const refuse = (field: string, expected: string, seen: unknown): Error =>
    invalid(endpoint, field, expected, describeSeen(seen, ''));
  if (!isObject(options)) {
    throw refuse('options', 'an object such as { deadlineMs: 5_000 }', options);
  }
  const { deadlineMs, signal, priority, onRetry } = options as Fields;
  if (deadlineMs !== undefined && !(typeof deadlineMs === 'number' && deadlineMs >= 0)) {
    throw refuse('deadlineMs', 'a number of milliseconds, 0 or more', deadlineMs);
  }
  if (isGiven(signal) && typeof Object(signal).addEventListener !== 'function') {
    throw refuse('signal', 'an AbortSignal', signal);
  }
  // Those of answers to commands are set by the client itself.
  if (priority !== undefined && !PRIORITY_CLASSES.some((each) => each === priority)) {
    throw refuse('priority', "'awaited' or 'background'", priority);
  }
  if (onRetry !== undefined && typeof onRetry !== 'function') {
    throw refuse('onRetry', 'a function', onRetry);
  }
}

/** @throws VirguleError `E_INVALID_CALL` for anything but a list. What is in it is looked at when it is read. */
export function checkFiles(endpoint: string, files: unknown): void {
  if (Array.isArray(files)) return;
  throw invalid(endpoint, 'files', 'an array of files', describeSeen(files, ''));
}

function checkId(name: EndpointName, field: string, value: unknown, token: string): void {
  if (typeof value === 'string' && ID.test(value)) return;
  throw invalid(name, field, AN_ID, describeSeen(value, token));
}

function checkQuery(name: EndpointName, query: Fields, token: string): void {
  const { before, customEmojiId } = query;
  if (isGiven(customEmojiId)) checkId(name, 'customEmojiId', customEmojiId, token);
  const isPage = name === 'messages.list';
  if (isPage && isGiven(before)) checkId(name, 'before', before, token);
  checkCount(name, 'limit', query['limit'], 1);
  if (name !== 'messages.context') return;
  checkCount(name, 'before', before, 0);
  checkCount(name, 'after', query['after'], 0);
}

function checkCount(name: EndpointName, field: string, value: unknown, min: number): void {
  if (!isGiven(value) || (Number.isInteger(value) && Number(value) >= min)) return;
  throw invalid(name, field, `a whole number, ${min} or more`, describeSeen(value, ''));
}

/** An empty list is a set of commands too; nothing at all would delete every one. */
function checkCommands(name: EndpointName, { commands }: Fields, token: string): void {
  if (!Array.isArray(commands)) {
    throw invalid(name, 'commands', 'an array of commands', describeSeen(commands, token));
  }
  for (const [index, command] of (commands as readonly unknown[]).entries()) {
    if (typeof Object(command).name === 'string') continue;
    const seen = describeSeen(command, token);
    throw invalid(name, `commands[${index}]`, 'a command with a name', seen);
  }
}

function checkFile(name: EndpointName, body: Fields, token: string): void {
  for (const field of ['fileName', 'contentType']) {
    const value = body[field];
    if (typeof value === 'string' && value !== '') continue;
    throw invalid(name, field, 'a string that is not empty', describeSeen(value, token));
  }
  if (Number.isSafeInteger(body['size']) && Number(body['size']) >= 0) return;
  throw invalid(name, 'size', 'a whole number of bytes', describeSeen(body['size'], token));
}

function checkMessage(name: EndpointName, body: Fields, token: string): void {
  const { content, attachments, replyToMessageId } = body;
  if (isGiven(replyToMessageId)) checkId(name, 'replyToMessageId', replyToMessageId, token);
  const hasFiles = Array.isArray(attachments) && attachments.length > 0;
  if (content === null && hasFiles && CONTENT[name] === 'text-or-null') return;
  if (typeof content !== 'string') {
    throw invalid(name, 'content', CONTENT_LENGTH, describeSeen(content, token));
  }
  const { length } = content;
  if (length > CONTENT_MAX_LENGTH || (length < CONTENT_MIN_LENGTH && !hasFiles)) {
    throw invalid(name, 'content', CONTENT_LENGTH, `${length} characters`);
  }
}

function checkEmoji(name: EndpointName, body: Fields, token: string): void {
  const { unicodeEmoji, customEmojiId } = body;
  const isUnicode = isGiven(unicodeEmoji) && unicodeEmoji !== '';
  if (isUnicode === isGiven(customEmojiId)) {
    throw invalid(name, 'emoji', ONE_EMOJI, isUnicode ? 'both' : 'none');
  }
  if (!isUnicode) checkId(name, 'customEmojiId', customEmojiId, token);
  else if (typeof unicodeEmoji !== 'string') {
    throw invalid(name, 'emoji', ONE_EMOJI, describeSeen(unicodeEmoji, token));
  }
}

function invalid(endpoint: string, field: string, expected: string, seen: string): Error {
  return clientErrors.E_INVALID_CALL({ endpoint, field, expected, seen });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
