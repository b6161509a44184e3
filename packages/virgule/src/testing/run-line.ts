import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { raceAbort } from '@virgule/core/abort';
import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import type { Redactor } from '@virgule/core/log';
import { countOf, showControls, showOnOneLine } from '@virgule/core/text';
import { ProjectProblems } from '../project/project-problems.js';
import { cliErrors } from '../terminal/cli-errors.js';
import { invalidWords } from '../terminal/invalid-arguments.js';
import type { Io } from '../terminal/io.js';
import { openBot } from './open-bot.js';
import type { TestRun } from './test-bot.js';
import { runConversation } from './run-conversation.js';
import { printProblems } from '../terminal/print-problems.js';
import { readLine } from '../terminal/read-line.js';

/** Runs one line, or the conversation of a file. Resolves with the exit code of `virgule run`. */
export async function runLine(
  words: readonly string[],
  flags: { readonly json?: boolean },
  io: Io,
): Promise<number> {
  const [typed, ...others] = words;
  if (typed === undefined || others.length > 0)
    throw invalidWords('run', 'one line in quotes, such as "/hello", or a file', words);
  // A command may end with the name of a file. A missing file is a word that begins as a path does.
  const isPath = /^(?:[\p{L}\d_.~]|.\S*[\\/])\S*\.txt$/u.test(typed);
  if (isPath || (typed.endsWith('.txt') && existsSync(resolve(io.cwd, typed))))
    return runConversation(typed, flags, io);
  let problems: readonly VirguleError[] = [];
  await using bot = await openBot(io, { onProblems: (found) => (problems = found) });
  const { project, prefix, platform } = bot;
  const read = readLine(typed, project.commands.values(), prefix, platform.snapshot());
  const { line, name, isMessage, unknown } = read;
  // An unknown command may be in a file with a problem. A message may have its own handler.
  if (unknown && !isMessage) throw problems.length > 0 ? new ProjectProblems(problems) : unknown;
  if (problems.length > 0) {
    printProblems(problems, io);
    const count = countOf(problems.length, 'problem');
    io.stderr.write(`${count} in other files. ${name} runs without them.\n`);
  }
  const ran = await raceAbort(bot.run(line), io.interrupt).catch((error: unknown) => {
    // The message of the error of a test has its hint.
    throw unknown ?? error;
  });
  if (flags.json) io.stdout.write(`${JSON.stringify(runAsJson(line, ran, io.redact))}\n`);
  else io.stdout.write(describeRun(ran));
  if (ran.state === 'expired') throw cliErrors.E_NO_ANSWER({ rawInput: line });
  if (ran.replies.length + ran.files.length === 0) io.stderr.write('The bot shows no message.\n');
  // The message of a `UserError` counts as an answer.
  return ['ok', 'user-error'].includes(ran.result) ? 0 : 1;
}

function runAsJson(line: string, ran: TestRun, redact: Redactor) {
  const { content: text, replies, state, files, result, error } = ran;
  return { v: 1, line, text, replies, state, files, result, error: errorAsJson(error, redact) };
}

function errorAsJson(error: unknown, redact: Redactor) {
  if (error === undefined) return null;
  if (!(error instanceof Error)) return { name: null, code: null, message: redact(inspect(error)) };
  const { name, message } = error;
  return { name, code: isVirguleError(error) ? error.code : null, message: redact(message) };
}

function describeRun({ replies, files }: Pick<TestRun, 'replies' | 'files'>): string {
  const lines = [
    // Line breaks of an answer stay.
    ...replies.map((reply) => showControls(reply, '')),
    ...files.map(({ name, size }) => `File ${showOnOneLine(name)}, ${size} bytes`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
