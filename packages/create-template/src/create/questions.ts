import { countOf, showOnOneLine } from '@virgule/core/text';
import type { CreateIo } from './create-io.js';
import type { Force } from './flags.js';
import type { TargetFolder } from './target-folder.js';
import type { Template } from './templates.js';

/** The part of the input and output that questions use. */
export type Terminal = Pick<CreateIo, 'ask' | 'stdout'>;

/** Asks until `read` accepts the answer; an empty line is `fallback`. */
async function askFor<Value>(
  terminal: Terminal,
  question: string,
  fallback: Value,
  read: (answer: string) => Value | undefined,
): Promise<Value> {
  for (;;) {
    const answer = (await terminal.ask(question)).trim();
    const value = answer === '' ? fallback : read(answer);
    if (value !== undefined) return value;
    terminal.stdout.write(`"${showOnOneLine(answer)}" is not a valid answer.\n`);
  }
}

export async function askFolder(terminal: Terminal, fallback: string): Promise<string> {
  return askFor(terminal, `Folder? (${fallback}) `, fallback, (answer) => answer);
}

export async function askTemplate(
  terminal: Terminal,
  templates: readonly Template[],
  fallback: Template,
): Promise<Template> {
  const width = Math.max(...templates.map(({ name }) => name.length));
  const lines = templates.map(
    ({ name, description }, index) => `  ${index + 1}  ${name.padEnd(width)}  ${description}\n`,
  );
  const question = `Template?\n${lines.join('')}(${fallback.name}) `;
  return askFor(
    terminal,
    question,
    fallback,
    (answer) => templates.find(({ name }) => name === answer) ?? templates[Number(answer) - 1],
  );
}

export async function askInstall(terminal: Terminal, packageManager: string): Promise<boolean> {
  return askFor(terminal, `Install with ${packageManager}? (Y/n) `, true, (answer) => {
    if (/^y(es)?$/i.test(answer)) return true;
    return /^no?$/i.test(answer) ? false : undefined;
  });
}

/** Asks what to do with a folder that is not empty. */
export async function askForce(
  terminal: Terminal,
  target: TargetFolder,
): Promise<Force | 'cancel'> {
  const count = countOf(target.entries.length, 'entry', 'entries');
  const question =
    `${showOnOneLine(`${target.label} is not empty: ${target.conflicts.join(', ')}`)}\n` +
    '  cancel  leave it as it is\n' +
    '  merge   write only files that do not exist yet\n' +
    `  empty   delete its contents first (${count}, except .git)\n` +
    '(cancel) ';
  const choices = ['cancel', 'merge', 'empty'] as const;
  return askFor<(typeof choices)[number]>(terminal, question, 'cancel', (answer) =>
    choices.find((choice) => choice === answer.toLowerCase() || choice[0] === answer.toLowerCase()),
  );
}
