/**
 * Who has to act: `user` errors are mended by whoever runs or writes the bot and print no stack;
 * a `bug` is ours and asks for a report.
 */
export type ErrorKind = 'user' | 'bug';

/** A place in a file. `line` and `column` count from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export interface VirguleErrorInit {
  /** Never changes once published; in the form `E_UPPER_SNAKE`. */
  readonly code: string;
  readonly kind: ErrorKind;
  /** What happened and why, with the names and values. */
  readonly message: string;
  /** The next thing to do. */
  readonly hint?: string | undefined;
  /** Plain data about what happened, for programs and logs. Holds no secrets. */
  readonly details?: object | undefined;
  /** Where in the user's files the cause lies. */
  readonly location?: SourceLocation | undefined;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('virgule.error');

/** Where the page of each error code lives. */
const DOCS_URL = 'https://virgule.dev/errors/';

/** The one error class of all packages. Tell errors apart by `code`. */
export class VirguleError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly location: SourceLocation | undefined;
  /** The page that explains this code. */
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
    this.docsUrl = DOCS_URL + init.code.toLowerCase();
  }

  /** Two copies of this package in one process recognise each other's errors. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false;
    try {
      return BRAND in value;
    } catch {
      // A proxy that is revoked or refuses to be looked at.
      return false;
    }
  }
}

/** Whether `value` is a `VirguleError`, and, when `code` is given, one with that code. */
export function isVirguleError(value: unknown, code?: string): value is VirguleError {
  return value instanceof VirguleError && (code === undefined || value.code === code);
}
