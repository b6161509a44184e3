import { apiEntries, type ApiEntry } from './api-items.js';

declare const data: readonly ApiEntry[];
export { data };

/** What the packages export, from the TSDoc of their sources. */
export default {
  watch: ['../../../packages/*/src/**/*.ts'],
  load: (): readonly ApiEntry[] => apiEntries(),
};
