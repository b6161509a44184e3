import { showOnOneLine } from '@virgule/core/text';
import { createErrors, listNames } from './create-errors.js';
import type { CreateIo } from './create-io.js';
import type { CreateFlags } from './flags.js';
import type { TargetFolder } from './target-folder.js';
import { describeTemplates, findTemplate, type Template } from './templates.js';

const DEFAULT_FOLDER = 'my-bot';
const DEFAULT_TEMPLATE = 'basic';

/** Returns the folder as it was typed, or the default. */
export async function chooseFolder({ folder }: CreateFlags, terminal: CreateIo | undefined) {
  if (folder !== undefined || !terminal) return folder ?? DEFAULT_FOLDER;
  return askFor(terminal, `Folder? (${DEFAULT_FOLDER}) `, DEFAULT_FOLDER, (answer) => answer);
}

/**
 * Returns the template of the flags, of the user, or the default.
 *
 * @param terminal - terminal to ask on; `undefined` to use the default.
 */
export async function chooseTemplate(
  flags: CreateFlags,
  templates: readonly Template[],
  terminal: CreateIo | undefined,
): Promise<Template> {
  const { bare, template = DEFAULT_TEMPLATE } = flags;
  const values = { expected: `the template ${DEFAULT_TEMPLATE}`, saw: `"${template}"` };
  if (bare && template !== DEFAULT_TEMPLATE)
    throw createErrors.E_CREATE_ARGUMENTS({ kind: 'flag-value', flag: '--bare', ...values });
  const fallback = findTemplate(templates, template);
  if (flags.template !== undefined || bare || !terminal || templates.length === 1) return fallback;
  const lines = describeTemplates(templates).map((line, index) => `  ${index + 1}  ${line}\n`);
  const question = `Template?\n${lines.join('')}(${fallback.name}) `;
  const read = (answer: string): Template | undefined =>
    templates.find(({ name }) => name === answer) ?? templates[Number(answer) - 1];
  return askFor(terminal, question, fallback, read);
}

/**
 * Returns whether to write into the folder; false if the user does not want this.
 *
 * @throws VirguleError `E_CREATE_FOLDER` if there are conflicts and no terminal to ask on.
 */
export async function mayWrite(
  { merge }: CreateFlags,
  { label, conflicts }: TargetFolder,
  terminal: CreateIo | undefined,
): Promise<boolean> {
  if (merge || conflicts.length === 0) return true;
  if (terminal === undefined)
    throw createErrors.E_CREATE_FOLDER({ kind: 'not-empty', folder: label, names: conflicts });
  const state = showOnOneLine(`${label} is not empty: ${listNames(conflicts)}`);
  return confirm(terminal, `${state}\nWrite only files that do not exist yet?`, false);
}

/** Asks until `read` accepts the answer; an empty line selects `fallback`. */
async function askFor<Value>(
  terminal: CreateIo,
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

/** Asks a question whose answer is yes or no. */
export async function confirm(terminal: CreateIo, question: string, fallback: boolean) {
  return askFor(terminal, `${question} (${fallback ? 'Y/n' : 'y/N'}) `, fallback, (answer) => {
    if (/^y(es)?$/i.test(answer)) return true;
    return /^no?$/i.test(answer) ? false : undefined;
  });
}
