// Internal: for packages of this repository, without a semver promise.
export { assignWords, type AssignedValue, type Mismatch } from './raw-input/assign-words.js';
export type { LineOption } from './raw-input/line-option.js';
export { skipCommandName } from './raw-input/skip-command-name.js';
export { hasForm, parseBoolean, parseNumber } from './raw-input/parse-value.js';
export { matchNamedOption } from './raw-input/named-option.js';
export { isOpeningQuote, isQuote, quote } from './raw-input/quotes.js';
export { splitWords } from './raw-input/split-words.js';
export { isSpace } from './raw-input/white-space.js';
