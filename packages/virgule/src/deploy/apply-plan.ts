import { isApiRefused, type Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import { applySync } from '@virgule/runtime/sync';
import { cliErrors } from '../terminal/cli-errors.js';
import { writeRecord } from './deploy-record.js';
import type { PlannedDeploy } from './describe-plan.js';
import type { LocalCommands } from './local-commands.js';
import { dropSet, pruneSets, saveSet } from './saved-sets.js';

/**
 * Applies a confirmed plan, including its deletions: saves the registered set, replaces it, reads it back, and records the deployed names.
 *
 * @throws VirguleError the errors of `applySync`, and `E_COMMAND_REFUSED` with the file of a command that the platform
 * rejects.
 */
export async function applyPlan(
  { plan, local, registered, own, me: { applicationId } }: PlannedDeploy,
  { root, commands, clock }: Pick<Rest, 'commands'> & { root: string; clock: Clock },
) {
  const startMs = clock.monotonic();
  let saved: string | undefined;
  let applied: boolean;
  try {
    ({ applied } = await applySync({
      commands,
      local: local.items,
      plan,
      allowDelete: plan.remove.length > 0,
      // A set that was replaced without a copy could not be restored.
      async beforeSend() {
        const name = saveSet(root, { applicationId, commands: registered, own }, clock.now());
        saved = name;
        return async () => dropSet(root, name);
      },
    }));
  } catch (error) {
    const sent = [...local.items, ...plan.kept].map(({ name }) => name);
    throw explainRefusal(error, local, sent);
  }
  const ms = clock.monotonic() - startMs;
  const names = local.own ?? local.items.map(({ name }) => name);
  const unrecorded = await writeRecord(root, applicationId, names)
    .then(() => pruneSets(root))
    .then(() => undefined, errorText);
  return {
    /** `false` if another deploy has registered the same commands in between. */
    applied,
    /** Name of the saved set that was replaced; `undefined` if nothing was sent. */
    saved,
    ms,
    /** Reason why the deployed names could not be recorded. */
    unrecorded,
  };
}

/**
 * Matches the position in a refusal, such as `commands[2].options[0].type` or `commands.2.options.0.type`. The
 * platform's documents do not state the format of a field.
 */
const FIELD = /commands[.[](\d+)\]?(?:[.[]options[.[](\d+))?/;

/**
 * Converts the platform's refusal of the whole set into an error that names the command and its file.
 * Returns any other error unchanged.
 */
export function explainRefusal(error: unknown, local: LocalCommands, sent: readonly string[]) {
  if (!isApiRefused(error) || error.details.status === 403) return error;
  const { field = '', apiMessage } = error.details;
  const [, command, option] = FIELD.exec(field) ?? [];
  const name = command === undefined ? undefined : sent[Number(command)];
  if (name === undefined) return error;
  const item = local.items.find((candidate) => candidate.name === name);
  const optionName = option === undefined ? undefined : item?.options[Number(option)]?.name;
  const file = local.fileOf(name);
  return cliErrors.E_COMMAND_REFUSED(
    { name, option: optionName, reason: apiMessage || error.message },
    { cause: error, location: file === undefined ? undefined : { file } },
  );
}
