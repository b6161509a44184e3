import { raceAbort } from '@virgule/core/abort';
import type { VirguleError } from '@virgule/core/errors';
import { countOf } from '@virgule/core/text';
import type { CommandRecord } from '@virgule/runtime';
import { resolveMessageCommands } from '@virgule/runtime/project';
import { ProjectProblems } from '../project/project-problems.js';
import { describeRun, runAsJson } from './describe-run.js';
import { cliErrors } from '../terminal/cli-errors.js';
import type { Io } from '../terminal/io.js';
import { openBot } from './open-bot.js';
import { runConversation } from './run-conversation.js';
import { printProblems } from '../terminal/print-problems.js';
import { readLine } from '../terminal/read-line.js';

/** Runs one line, or the conversation of a file. Resolves with the exit code of `virgule run`. */
export async function runLine(
  line: string,
  flags: { readonly json?: boolean },
  io: Io,
): Promise<number> {
  if (line.endsWith('.txt')) return runConversation(line, flags, io);
  let problems: readonly VirguleError[] = [];
  let prefix = '';
  let ended: CommandRecord | undefined;
  await using bot = await openBot(io, {
    onProblems: (found) => (problems = found),
    onLoaded: ({ config }) => ({ prefix } = resolveMessageCommands(config.messages)),
    onEnded: (record) => (ended = record),
  });
  const known = bot.platform.snapshot().commands.map((command) => command.name);
  const isMessage = line.startsWith(prefix) && !line.startsWith('/');
  const { rawInput, name } = isMessage
    ? { rawInput: line, name: line.slice(prefix.length).split(/\s/, 1)[0] ?? '' }
    : readTypedLine(line, known, problems);
  if (problems.length > 0) {
    printProblems(problems, io);
    const count = countOf(problems.length, 'problem');
    io.stderr.write(`${count} in other files. /${name} runs without them.\n`);
  }
  const ran = isMessage
    ? await raceAbort(bot.say(line), io.interrupt).then((said) => {
        if (!ended && said.replies.length === 0) throw cliErrors.E_COMMAND_UNKNOWN({ name, known });
        const { outcome: state = 'received', result = 'ok' } = ended ?? {};
        return { ...said, content: said.replies[0], state, result };
      })
    : await raceAbort(bot.run(rawInput), io.interrupt);
  if (flags.json) io.stdout.write(`${JSON.stringify(runAsJson(rawInput, ran, io.redact))}\n`);
  else io.stdout.write(describeRun(ran));
  if (ran.state === 'expired') throw cliErrors.E_NO_ANSWER({ rawInput });
  // The message of a `UserError` counts as an answer.
  return ['ok', 'user-error'].includes(ran.result) ? 0 : 1;
}

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
