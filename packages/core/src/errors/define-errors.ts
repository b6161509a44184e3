import { VirguleError, type ErrorKind, type SourceLocation } from './virgule-error.js';

/** One row of a package's table of error codes. */
export interface ErrorDefinition<Details extends object> {
  readonly kind: ErrorKind;
  /** What happened and why, made from the details. */
  readonly message: (details: Details) => string;
  /** The next thing to do. */
  readonly hint?: (details: Details) => string | undefined;
}

/** What an error may carry beside its details. */
export interface ErrorContext {
  readonly cause?: unknown;
  readonly location?: SourceLocation | undefined;
}

type Texts<Details extends object> = Omit<ErrorDefinition<Details>, 'kind'>;

/** A row for what whoever runs or writes the bot can mend. */
export function userError<Details extends object = object>(
  texts: Texts<Details>,
): ErrorDefinition<NoInfer<Details>> {
  return { kind: 'user', ...texts };
}

/** A row for a defect of ours. */
export function bugError<Details extends object = object>(
  texts: Texts<Details>,
): ErrorDefinition<NoInfer<Details>> {
  return { kind: 'bug', ...texts };
}

type DetailsOf<Row> = Row extends { readonly message: (details: infer Details) => string }
  ? Details
  : never;

/** One factory function for each code of a table, taking the details that its message is made from. */
export type ErrorFactories<Table> = {
  readonly [Code in keyof Table]: (
    details: DetailsOf<Table[Code]>,
    context?: ErrorContext,
  ) => VirguleError;
};

/**
 * Turns a table of error codes into factory functions.
 *
 * @example
 * ```ts
 * const errors = defineErrors({
 *   E_PORT_BUSY: userError<{ port: number }>({
 *     message: ({ port }) => `Port ${port} is already in use.`,
 *     hint: () => 'Stop the other program, or pass another --port.',
 *   }),
 * });
 * throw errors.E_PORT_BUSY({ port: 7300 });
 * ```
 */
export function defineErrors<Table extends Record<string, ErrorDefinition<never>>>(
  table: Table,
): ErrorFactories<Table> {
  const factory =
    (code: string, definition: ErrorDefinition<never>) =>
    (details: never, { cause, location }: ErrorContext = {}) =>
      new VirguleError({
        code,
        kind: definition.kind,
        message: definition.message(details),
        hint: definition.hint?.(details),
        details,
        location,
        cause,
      });
  // One factory per key of the table, each taking the details of its own row: more than fromEntries can say.
  return Object.fromEntries(
    Object.entries(table).map(([code, definition]) => [code, factory(code, definition)]),
  ) as ErrorFactories<Table>;
}
