// Internal: for packages of this repository, without a semver promise.
export { applySync, type ApplySyncOptions, type SyncResult } from './sync/apply-sync.js';
export {
  hashCommands,
  planSync,
  type CommandChange,
  type FieldChange,
  type SyncPlan,
} from './sync/plan-sync.js';
