import { apiEntries, type ApiEntry } from './api-items.js';

declare const data: readonly ApiEntry[];
export { data };

/** Exports of the packages, from the TSDoc of their sources. */
export default {
  watch: ['../../../packages/*/src/**/*.ts'],
  load: (): readonly ApiEntry[] => apiEntries(),
};
