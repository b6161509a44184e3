export { virgule, type VirgulePlugin } from './testing/vitest-plugin.js';
