import { createErrors } from './create-errors.js';
import type { CreateFlags, Force } from './flags.js';
import { askForce, askTemplate, type Terminal } from './questions.js';
import type { TargetFolder } from './target-folder.js';
import { findTemplate, type Template } from './templates.js';

const DEFAULT_TEMPLATE = 'basic';

/**
 * Returns the template of the flags, of the user, or the default.
 *
 * @param terminal - terminal to ask on; `undefined` to use the default.
 */
export async function chooseTemplate(
  flags: CreateFlags,
  templates: readonly Template[],
  terminal: Terminal | undefined,
): Promise<Template> {
  if (flags.template !== undefined) return findTemplate(templates, flags.template);
  const fallback = findTemplate(templates, DEFAULT_TEMPLATE);
  if (terminal === undefined || templates.length === 1) return fallback;
  return askTemplate(terminal, templates, fallback);
}

/**
 * Returns what to do with the contents of the folder; `undefined` if there are no conflicts.
 *
 * @throws VirguleError `E_CREATE_FOLDER` if there are conflicts and no terminal to ask on.
 */
export async function chooseForce(
  flags: CreateFlags,
  target: TargetFolder,
  terminal: Terminal | undefined,
): Promise<Force | 'cancel' | undefined> {
  if (flags.force !== undefined || target.conflicts.length === 0) return flags.force;
  if (terminal !== undefined) return askForce(terminal, target);
  throw createErrors.E_CREATE_FOLDER({
    kind: 'not-empty',
    folder: target.label,
    names: target.conflicts,
  });
}
