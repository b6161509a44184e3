import { isVirguleError, toError } from '@virgule/core/errors';
import { isApiRefused, isOutcomeUnknown, type Rest } from '@virgule/client/rest';
import type { Command, SyncCommandItem } from '@virgule/core/protocol';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { hashCommands, planSync, type SyncPlan } from './plan-sync.js';

export interface ApplySyncOptions {
  readonly commands: Rest['commands'];
  readonly local: readonly SyncCommandItem[];
  /** Accepted plan. The registered set is read again, and must still be equal to the set of the plan. */
  readonly plan: SyncPlan;
  /** `true` if all commands may be deleted, or the names of commands that may be deleted. @defaultValue `false` */
  readonly allowDelete?: boolean | readonly string[] | undefined;
  /** Called before the set is sent. Returns a function that is called if the set was not replaced, and will not be. */
  readonly beforeSend?: (() => Promise<() => Promise<void>>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SyncResult {
  /** `true` if the set was sent; `false` for an empty plan, and if another deploy has registered the same set since. */
  readonly applied: boolean;
  /** Commands that were registered before, for a rollback. */
  readonly before: readonly Command[];
}

/**
 * Applies a plan: reads the registered set again, replaces it, and reads it back.
 *
 * @throws VirguleError `E_SYNC_DELETES` when the plan deletes commands without permission, `E_SYNC_EMPTY` when the
 *   plan would delete all commands, `E_SYNC_STALE` when the registered set has changed since the plan,
 *   `E_SYNC_NOT_APPLIED` when the registered set differs from the sent set afterwards or is unknown, and refusals of the
 *   platform.
 */
export async function applySync(options: ApplySyncOptions): Promise<SyncResult> {
  const { commands, local, plan, allowDelete = false, beforeSend, signal } = options;
  const before = await commands.list({ signal });
  if (plan.empty) return { applied: false, before };

  // Checked first, because "allow the deletions" would be the wrong advice in a wrong folder.
  if (local.length === 0 && plan.kept.length === 0 && allowDelete !== true)
    throw runtimeErrors.E_SYNC_EMPTY({ registered: before.length });
  const mayDelete = (name: string): boolean =>
    typeof allowDelete === 'boolean' ? allowDelete : allowDelete.includes(name);
  const forbidden = plan.remove.map(({ name }) => name).filter((name) => !mayDelete(name));
  if (forbidden.length > 0) throw runtimeErrors.E_SYNC_DELETES({ names: forbidden });

  const wanted = [...local, ...plan.kept];
  if (hashCommands(before) !== plan.remoteHash) {
    if (planSync(wanted, before).empty) return { applied: false, before };
    throw runtimeErrors.E_SYNC_STALE({});
  }
  const unsent = await beforeSend?.();
  let failure: Error | undefined;
  try {
    await commands.replace(wanted, { signal });
  } catch (error) {
    failure = toError(error);
  }
  // Read back after any failure: the answer to an earlier try may be lost, even if the last try was refused.
  const now = await commands.list({ signal }).catch((error: unknown) => {
    throw failed(failure ?? toError(error), 'unknown');
  });
  const left = planSync(wanted, now);
  if (left.empty) return { applied: true, before };
  if (failure !== undefined && left.remoteHash === plan.remoteHash) {
    // A request without an answer may still arrive.
    const { maybeSent = isOutcomeUnknown(failure) } = isVirguleError(failure)
      ? failure.details
      : {};
    if (!maybeSent) await unsent?.();
    throw isApiRefused(failure) && failure.details.status >= 500
      ? failed(failure, 'unchanged')
      : failure;
  }
  const names = [...left.add, ...left.change, ...left.remove].map(({ name }) => name);
  throw runtimeErrors.E_SYNC_NOT_APPLIED({ names }, { cause: failure });
}

const failed = (cause: Error, state: 'unchanged' | 'unknown'): Error =>
  runtimeErrors.E_SYNC_NOT_APPLIED({ names: [], failure: cause.message, state }, { cause });
