import type { SyncCommandItem } from '@virgule/core/protocol';
import { hashCommands, type SyncPlan } from '@virgule/runtime/sync';
import { contentHash } from '../build/content-hash.js';

/** Returns a short name of a plan: the same for the same change of the same commands. */
export function planId(plan: SyncPlan, local: readonly SyncCommandItem[]): string {
  return contentHash(`${plan.remoteHash} ${hashCommands([...local, ...plan.kept])}`).slice(0, 8);
}
