// Internal: for packages of this repository, without a semver promise.
export {
  VirguleError,
  changeError,
  docsUrlOf,
  isVirguleError,
  type ErrorKind,
  type SourceLocation,
  type VirguleErrorInit,
} from './errors/virgule-error.js';
export {
  bugError,
  defineErrors,
  userError,
  userErrorByKind,
  type ErrorContext,
  type ErrorDefinition,
  type ErrorFactories,
  type ErrorTexts,
} from './errors/define-errors.js';
export {
  errorCode,
  errorText,
  namedErrorText,
  readableError,
  toError,
} from './errors/error-text.js';
export { EXIT_UNUSABLE } from './errors/exit-unusable.js';
export { causesOf } from './errors/causes-of.js';
export { redactError } from './errors/redact-error.js';
export { formatError, formatLocation } from './errors/format-error.js';
