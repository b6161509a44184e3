import { isObject } from '../objects/is-object.js';
import { orUndefined } from '../objects/or-undefined.js';

/** Kind of an error: the user can fix a `user` error, which prints no stack; a `bug` of Virgule asks for a report. */
export type ErrorKind = 'user' | 'bug';

/** A location in a file. `line` and `column` start at 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Members of a new error. */
export interface VirguleErrorInit {
  /** In the form `E_UPPER_SNAKE`. Never changes once published. */
  readonly code: string;
  readonly kind: ErrorKind;
  /** Description of the event and its reason, with names and values. */
  readonly message: string;
  /** Next action for the reader. */
  readonly hint?: string | undefined;
  /** Plain data about the error, for programs and logs, without secrets. */
  readonly details?: object | undefined;
  /** The location of the cause in the files of the user. */
  readonly location?: SourceLocation | undefined;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('virgule.error');

/** Base URL of the documentation of error codes. */
const DOCS_URL = 'https://virgule.dev/errors/';

/** Returns the URL of the documentation of a code. */
export const docsUrlOf = (code: string): string => DOCS_URL + code.toLowerCase();

/** The error class of all packages. `code` distinguishes the errors. */
export class VirguleError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly location: SourceLocation | undefined;
  /** URL of the documentation of this code. */
  readonly docsUrl: string;
  readonly [BRAND] = true;

  constructor(init: VirguleErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'VirguleError';
    this.code = init.code;
    this.kind = init.kind;
    this.hint = init.hint;
    this.details = { ...init.details };
    this.location = init.location;
    this.docsUrl = docsUrlOf(init.code);
  }

  /** Recognizes errors of other copies of this package in the process. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass recognizes only its own instances.
    if (this !== VirguleError) return Function.prototype[Symbol.hasInstance].call(this, value);
    // The value may be a revoked proxy, or a proxy that throws in its `has` trap.
    return isObject(value) && orUndefined(() => BRAND in value) === true;
  }
}

/** Returns whether a value is a `VirguleError`, and has the code `code` if that is specified. */
export const isVirguleError = (value: unknown, code?: string): value is VirguleError =>
  value instanceof VirguleError && (code === undefined || value.code === code);

/** Returns a copy of an error with some of its members replaced. */
export function changeError(
  { code, kind, message, hint, details, location, cause }: VirguleError,
  changes: Partial<VirguleErrorInit>,
): VirguleError {
  return new VirguleError({ code, kind, message, hint, details, location, cause, ...changes });
}
