import type { Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import { errorText, isVirguleError, type VirguleError } from '@virgule/core/errors';
import { applySync } from '@virgule/runtime/sync';
import { writeRecord } from './deploy-record.js';
import type { PlannedDeploy } from './describe-plan.js';
import { explainRefusal } from './explain-refusal.js';
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
