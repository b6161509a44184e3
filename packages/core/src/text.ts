// Internal: for packages of this repository, without a semver promise.
export { cutMiddle } from './text/cut-middle.js';
export { didYouMean } from './text/did-you-mean.js';
export { compareText, countOf, listOf, oneLine, splitNames } from './text/short-texts.js';
export { DURATION_UNITS_MS, parseDuration } from './text/parse-duration.js';
export { UUID } from './text/uuid.js';
export { showControls, showOnOneLine, showOutput } from './text/show-controls.js';
