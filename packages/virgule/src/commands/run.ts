import { raceAbort } from '@virgule/core/abort';
import type { VirguleError } from '@virgule/core/errors';
import { countOf } from '@virgule/core/text';
import { ProjectProblems } from '../project/project-problems.js';
import { describeRun, runAsJson } from '../testing/describe-run.js';
import { invalidWords } from '../terminal/arguments.js';
import { cliErrors } from '../terminal/cli-errors.js';
import { defineCliCommand } from '../terminal/command.js';
import { openBot } from '../testing/open-bot.js';
import { runConversation } from '../testing/run-conversation.js';
import { printProblems } from '../terminal/print-problems.js';
import { readLine } from '../terminal/read-line.js';

export const run = defineCliCommand({
  name: 'run',
  words: '"/line"',
  about: 'Run one line, or the conversation of a file, on a private simulator',
  flags: {
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  exits: { 0: 'it ran', 1: 'it failed, was not answered, or the line could not be read' },
  examples: [
    'virgule run "/hello"',
    'virgule run "/roll 20" --json',
    'virgule run conversations/remind.txt',
  ],
  async run({ flags, words }, io) {
    const [line, ...others] = words;
    if (line === undefined || others.length > 0)
      throw invalidWords('run', 'one line in quotes, such as "/hello", or a file', words);
    if (line.endsWith('.txt')) return runConversation(line, flags, io);
    let problems: readonly VirguleError[] = [];
    await using bot = await openBot(io, { onProblems: (found) => (problems = found) });
    const known = bot.platform.snapshot().commands.map((command) => command.name);
    const { rawInput, name } = readTypedLine(line, known, problems);
    if (problems.length > 0) {
      printProblems(problems, io);
      const count = countOf(problems.length, 'problem');
      io.stderr.write(`${count} in other files. /${name} runs without them.\n`);
    }
    const ran = await raceAbort(bot.run(rawInput), io.interrupt);
    if (flags.json) io.stdout.write(`${JSON.stringify(runAsJson(rawInput, ran, io.redact))}\n`);
    else io.stdout.write(describeRun(ran));
    if (ran.state === 'expired') throw cliErrors.E_NO_ANSWER({ rawInput });
    // The message of a `UserError` counts as an answer.
    return ['ok', 'user-error'].includes(ran.result) ? 0 : 1;
  },
});

/** Reads the line. An unknown command may be in a file with a problem, so problems are thrown first. */
function readTypedLine(
  line: string,
  known: readonly string[],
  problems: readonly VirguleError[],
): ReturnType<typeof readLine> {
  try {
    return readLine(line, known);
  } catch (error) {
    throw problems.length > 0 ? new ProjectProblems(problems) : error;
  }
}
