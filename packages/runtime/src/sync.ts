export { applySync, type ApplySyncOptions, type SyncResult } from './sync/apply-sync.js';
export { planSync, type CommandChange, type FieldChange, type SyncPlan } from './sync/plan-sync.js';
