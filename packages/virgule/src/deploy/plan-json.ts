import type { BotMe } from '@virgule/core/protocol';
import type { SyncPlan } from '@virgule/runtime/sync';
import { countBreaking } from './describe-plan.js';
import type { LocalCommands } from './local-commands.js';

/** What became of a plan. */
export type DeployResult =
  | 'no-changes'
  | 'planned'
  | 'same'
  | 'differs'
  | 'not-applied'
  | 'applied';

export interface PlanJsonOptions {
  readonly plan: SyncPlan;
  readonly id: string;
  readonly me: BotMe;
  readonly local: LocalCommands;
  readonly result: DeployResult;
  /** Name of the set that was replaced. */
  readonly saved?: string | undefined;
}

/** Returns a plan for programs. Within one `v` keys are added and never changed. */
export function planJson({ plan, id, me, local, result, saved }: PlanJsonOptions): object {
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
