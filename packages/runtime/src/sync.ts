// Internal: for packages of this repository, without a semver promise.
export { applySync } from './sync/apply-sync.js';
export { planSync, type CommandChange, type FieldChange, type SyncPlan } from './sync/plan-sync.js';
