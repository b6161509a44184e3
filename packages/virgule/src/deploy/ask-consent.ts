import type { SyncPlan } from '@virgule/runtime/sync';
import { cliErrors } from '../terminal/cli-errors.js';
import type { Io } from '../terminal/io.js';
import type { DeployFlags } from './deploy-flags.js';

/**
 * Resolves after a confirmation: `--yes` confirms everything except deletions, and no question can be asked with
 * `--json`. Deletions that no flag allows are confirmed by typing their number.
 *
 * @throws VirguleError `E_DEPLOY_REFUSED` without a terminal, or when the answer is no confirmation.
 */
export async function askConsent(plan: SyncPlan, flags: DeployFlags, io: Io): Promise<void> {
  const { yes, json, 'allow-delete': allowDelete = false } = flags;
  const names = plan.remove.map(({ name }) => name);
  const open = names.filter((name) => {
    return typeof allowDelete === 'boolean' ? !allowDelete : !allowDelete.includes(name);
  });
  if (yes && open.length === 0) return;
  if (!io.interactive || json || yes) {
    const allow = names.length > 0 ? [allowing(names)] : [];
    const command = ['virgule deploy', ...repeatedFlags(flags), '--yes', ...allow].join(' ');
    throw cliErrors.E_DEPLOY_REFUSED({ kind: 'no-terminal', deletions: open.length, command });
  }
  const question =
    open.length > 0
      ? `Apply? Type the number of deletions (${open.length}) to confirm, anything else to stop: `
      : 'Apply? [y/N] ';
  const typed = (await io.ask(question)).trim().toLowerCase();
  // Ctrl+C is not an answer: it ends the command.
  io.interrupt.throwIfAborted();
  const agreed = open.length > 0 ? typed === String(open.length) : typed === 'y' || typed === 'yes';
  if (!agreed) throw cliErrors.E_DEPLOY_REFUSED({ kind: 'refused' });
}

/** Returns the flags to repeat in the command of a hint. */
const repeatedFlags = (flags: DeployFlags): string[] => [
  ...modeFlag(flags),
  ...(flags.from === undefined ? [] : [`--from ${shellWord(flags.from)}`]),
  ...(flags['keep-foreign'] ? ['--keep-foreign'] : []),
  ...(flags['allow-empty'] ? ['--allow-empty'] : []),
];

export const modeFlag = ({ mode }: DeployFlags): string[] =>
  mode === undefined ? [] : [`--mode ${shellWord(mode)}`];

/** Returns the flag that allows these deletions, without names if one of them cannot be typed. */
function allowing(names: readonly string[]): string {
  const isTyped = (name: string): boolean => /^[^/,\s\p{Cc}\p{Cf}][^,\s\p{Cc}\p{Cf}]*$/u.test(name);
  return names.every(isTyped) ? shellWord(`--allow-delete=${names.join(',')}`) : '--allow-delete';
}

/** Returns a text as one word of a command line that can be pasted into a POSIX shell. */
const shellWord = (text: string): string =>
  /^[\w,./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
