import type { ChatMatchers } from './testing/matchers.js';

export { virgule, type VirgulePlugin } from './testing/vitest-plugin.js';

declare module 'vitest' {
  // The plugin registers these matchers.
  interface Matchers<T> extends ChatMatchers {}
}
