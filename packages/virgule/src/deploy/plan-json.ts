import { hash } from 'node:crypto';
import type { SyncCommandItem } from '@virgule/core/protocol';
import { hashCommands, type SyncPlan } from '@virgule/runtime/sync';
import { countBreaking, type PlannedDeploy } from './describe-plan.js';

/** Outcome of a plan. */
export type DeployResult =
  | 'no-changes'
  | 'planned'
  | 'same'
  | 'differs'
  | 'not-applied'
  | 'applied';

/**
 * Returns a plan for programs. Within one `v`, keys are added and never changed.
 *
 * @param saved - name of the saved set that was replaced
 */
export function planJson(
  { plan, id, me, local }: PlannedDeploy,
  result: DeployResult,
  saved?: string,
): object {
  const { add, change, remove, kept, same } = plan;
  const withFile = <T extends { readonly name: string }>(command: T) => ({
    ...command,
    file: local.fileOf(command.name),
  });
  return {
    v: 1,
    result,
    plan: id,
    application: { id: me.applicationId, name: me.displayName },
    changes: add.length + change.length + remove.length,
    breaking: countBreaking(plan),
    add: add.map(withFile),
    change: change.map(withFile),
    remove,
    kept,
    same,
    saved,
  };
}

/** Returns a short id of a plan, which is equal for equal changes to equal commands. */
export function planId(plan: SyncPlan, local: readonly SyncCommandItem[]): string {
  return hash('sha256', `${plan.remoteHash} ${hashCommands([...local, ...plan.kept])}`).slice(0, 8);
}
