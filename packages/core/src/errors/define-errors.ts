import { VirguleError, type ErrorKind, type SourceLocation } from './virgule-error.js';

/** A row of a package's table of error codes. */
export interface ErrorDefinition<Details extends object> {
  readonly kind: ErrorKind;
  /** Returns what happened and why, in one sentence with a full stop. */
  readonly message: (details: Details) => string;
  /** Next action, in the imperative with a full stop; a function if the action depends on the details. */
  readonly hint?: string | ((details: Details) => string | undefined);
}

/** Properties of an error in addition to its details. */
export interface ErrorContext {
  readonly cause?: unknown;
  readonly location?: SourceLocation | undefined;
}

type Texts<Details extends object> = Omit<ErrorDefinition<Details>, 'kind'>;

/** Returns a row for an error that the author or operator of a bot can fix. */
export function userError<Details extends object = object>(
  texts: Texts<Details>,
): ErrorDefinition<NoInfer<Details>> {
  return { kind: 'user', ...texts };
}

/** Returns a row for an error with one remedy and several kinds, named by the details, each with its texts. */
export function userErrorByKind<Details extends { readonly kind: string }>(texts: {
  readonly [Kind in Details['kind']]: Texts<Extract<Details, { readonly kind: Kind }>>;
}): ErrorDefinition<NoInfer<Details>> {
  // The texts of a kind take the details of that kind.
  const textsOf = ({ kind }: Details) => texts[kind as Details['kind']] as Texts<Details>;
  return {
    kind: 'user',
    message: (details) => textsOf(details).message(details),
    hint: (details) => {
      const { hint } = textsOf(details);
      return typeof hint === 'function' ? hint(details) : hint;
    },
  };
}

/** Returns a row for a bug in Virgule. */
export function bugError<Details extends object = object>(
  texts: Texts<Details>,
): ErrorDefinition<NoInfer<Details>> {
  return { kind: 'bug', ...texts };
}

type DetailsOf<Row> = Row extends { readonly message: (details: infer Details) => string }
  ? Details
  : never;

/** A factory function for each code of a table. Its parameter is the details of the message. */
export type ErrorFactories<Table> = {
  readonly [Code in keyof Table]: (
    details: DetailsOf<Table[Code]>,
    context?: ErrorContext,
  ) => VirguleError;
};

/**
 * Creates a factory function for each code of a table.
 *
 * @example
 * ```ts
 * const errors = defineErrors({
 *   E_PORT_BUSY: userError<{ port: number }>({
 *     message: ({ port }) => `Port ${port} is already in use.`,
 *     hint: 'Stop the other program, or pass another --port.',
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
    (details: never, { cause, location }: ErrorContext = {}) => {
      const { kind, message, hint } = definition;
      return new VirguleError({
        code,
        kind,
        message: message(details),
        hint: typeof hint === 'function' ? hint(details) : hint,
        details,
        location,
        cause,
      });
    };
  // Each factory takes the details of its own row, which the type of fromEntries cannot express.
  return Object.fromEntries(
    Object.entries(table).map(([code, definition]) => [code, factory(code, definition)]),
  ) as ErrorFactories<Table>;
}
