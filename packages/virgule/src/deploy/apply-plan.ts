import { isApiRefused, type Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import { errorText, isVirguleError, type VirguleError } from '@virgule/core/errors';
import { applySync } from '@virgule/runtime/sync';
import { cliErrors } from '../terminal/cli-errors.js';
import { writeRecord } from './deploy-record.js';
import type { PlannedDeploy } from './describe-plan.js';
import type { LocalCommands } from './local-commands.js';
import { dropSet, pruneSets, saveSet } from './saved-sets.js';

export interface ApplyPlanOptions {
  readonly root: string;
  readonly commands: Rest['commands'];
  /** What was agreed to, with its deletions. */
  readonly planned: PlannedDeploy;
  /** What was deployed from here before, as far as that is known. */
  readonly own: readonly string[] | null;
  readonly clock: Clock;
}

const isUnchanged = ({ code, details }: VirguleError): boolean =>
  NOTHING_SENT.has(code) || details['state'] === 'unchanged';

/** After these nothing was replaced. */
const NOTHING_SENT: ReadonlySet<string> = new Set([
  'E_SYNC_STALE',
  'E_API_REFUSED',
  'E_UNAUTHORIZED',
  'E_RATE_LIMITED',
  'E_UNREACHABLE',
]);

/**
 * Carries out a plan: keeps what is replaced, replaces it, reads it back, and notes what was deployed.
 *
 * @throws VirguleError what `applySync` throws, and `E_COMMAND_REFUSED` with the file and line of a command
 *   that the platform does not take.
 */
export async function applyPlan({ root, commands, planned, own, clock }: ApplyPlanOptions) {
  const { plan, local, registered } = planned;
  const { applicationId } = planned.me;
  const startMs = clock.monotonic();
  // Before anything is changed: a set that was replaced and not kept could not be brought back.
  const saved = await saveSet(root, { applicationId, commands: registered, own }, clock.now());
  let applied: boolean;
  try {
    const allowDelete = plan.remove.length > 0;
    ({ applied } = await applySync({ commands, local: local.items, plan, allowDelete }));
  } catch (error) {
    if (isVirguleError(error) && isUnchanged(error)) await dropSet(root, saved);
    const sent = [...local.items, ...plan.kept].map(({ name }) => name);
    throw explainRefusal(error, local, sent);
  }
  const ms = clock.monotonic() - startMs;
  const names = local.own ?? local.items.map(({ name }) => name);
  const unrecorded = await writeRecord(root, applicationId, names)
    .then(() => pruneSets(root))
    .then(
      () => undefined,
      (error: unknown) => errorText(error),
    );
  return {
    /** `false` if another deploy has registered the same commands meanwhile. */
    applied,
    /** Name of the set that was replaced. */
    saved,
    /** How long it took, in milliseconds. */
    ms,
    /** Why it could not be noted what was deployed. */
    unrecorded,
  };
}

/** `commands[2].options[0].type`, and `commands.2.options.0.type`. How a field is written is not stated. */
const FIELD = /commands[.[](\d+)\]?(?:[.[]options[.[](\d+)\]?)?(?:\.(\w+))?/;

/**
 * Turns the platform's refusal of the whole set into an error that names the command, its file and its
 * line. What is not such a refusal stays as it is.
 */
export function explainRefusal(error: unknown, local: LocalCommands, sent: readonly string[]) {
  if (!isApiRefused(error) || error.details.status === 403) return error;
  const { field = '', apiMessage } = error.details;
  const [, command, option, key] = FIELD.exec(field) ?? [];
  const name = command === undefined ? namedIn(apiMessage, sent) : sent[Number(command)];
  if (name === undefined) return error;
  const item = local.items.find((candidate) => candidate.name === name);
  const optionName = option === undefined ? undefined : item?.options[Number(option)]?.name;
  return cliErrors.E_COMMAND_REFUSED(
    { name, option: optionName, reason: apiMessage || error.message },
    {
      cause: error,
      location: local.locate(name, optionName ?? (key === 'name' ? undefined : key)),
    },
  );
}

/** Returns the only command that a message names as a word of its own. */
function namedIn(message: string, names: readonly string[]): string | undefined {
  const words = new Set(message.split(/[^\w-]+/));
  const named = names.filter((name) => words.has(name));
  return named.length === 1 ? named[0] : undefined;
}
