import { createErrors } from './create-errors.js';
import type { CreateFlags, Force } from './flags.js';
import { askForce, askTemplate, type Terminal } from './questions.js';
import type { TargetFolder } from './target-folder.js';
import { findTemplate, type Template } from './templates.js';

const DEFAULT_TEMPLATE = 'basic';

/** @param terminal - where to ask; `undefined` takes the default. */
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
 * What to do with what the folder holds; `undefined` when nothing is in the way.
 *
 * @throws VirguleError `E_CREATE_FOLDER_NOT_EMPTY` when there is nobody to ask.
 */
export async function chooseForce(
  flags: CreateFlags,
  target: TargetFolder,
  terminal: Terminal | undefined,
): Promise<Force | 'cancel' | undefined> {
  if (flags.force !== undefined || target.conflicts.length === 0) return flags.force;
  if (terminal !== undefined) return askForce(terminal, target);
  throw createErrors.E_CREATE_FOLDER_NOT_EMPTY({ folder: target.label, names: target.conflicts });
}
