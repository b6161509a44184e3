// Internal: for packages of this repository, without a semver promise.
export { compareText } from './text/compare-text.js';
export { countOf } from './text/count-of.js';
export { cutMiddle } from './text/cut-middle.js';
export { didYouMean } from './text/did-you-mean.js';
export { listOf, splitNames } from './text/list-of.js';
export { oneLine } from './text/one-line.js';
export { DURATION_UNITS_MS, parseDuration } from './text/parse-duration.js';
export { UUID } from './text/uuid.js';
export { showControls, showOnOneLine, showOutput } from './text/show-controls.js';
