import { inspect } from 'node:util';
import { isVirguleError } from '@virgule/core/errors';
import type { Redactor } from '@virgule/core/log';
import { showControls, showOnOneLine } from '@virgule/core/text';
import type { TestRun } from './test-bot.js';

export function runAsJson(line: string, ran: TestRun, redact: Redactor) {
  const { content: text, replies, state, files, result, error } = ran;
  return { v: 1, line, text, replies, state, files, result, error: errorAsJson(error, redact) };
}

function errorAsJson(error: unknown, redact: Redactor) {
  if (error === undefined) return null;
  if (!(error instanceof Error)) return { name: null, code: null, message: redact(inspect(error)) };
  const { name, message } = error;
  return { name, code: isVirguleError(error) ? error.code : null, message: redact(message) };
}

export function describeRun({ replies, files }: Pick<TestRun, 'replies' | 'files'>): string {
  const lines = [
    // Line breaks of an answer stay.
    ...replies.map((reply) => showControls(reply, '')),
    ...files.map(({ name, size }) => `File ${showOnOneLine(name)}, ${size} bytes`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
