import type { ChatMatchers } from './testing/matchers.js';

export { virgule, type VirgulePlugin } from './testing/vitest-plugin.js';

declare module 'vitest' {
  // The plugin registers them.
  interface Matchers<T> extends ChatMatchers {}
}
