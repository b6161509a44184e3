import type { SyncCommandItem } from '@virgule/core/protocol';
import { hashCommands, type SyncPlan } from '@virgule/runtime/sync';
import { contentHash } from '../build/content-hash.js';

/** A short name of a plan: the same whenever the same commands are to replace the same. */
export function planId(plan: SyncPlan, local: readonly SyncCommandItem[]): string {
  return contentHash(`${plan.remoteHash} ${hashCommands([...local, ...plan.kept])}`).slice(0, 8);
}
