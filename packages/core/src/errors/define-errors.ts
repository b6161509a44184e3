import { VirguleError, type ErrorKind, type VirguleErrorInit } from './virgule-error.js';

/**
 * Returns the message and the hint of an error. The message states what happened and why, in one sentence with a full stop; the
 * hint the next action, in the imperative with a full stop.
 */
export type ErrorTexts<Details extends object> = (
  details: Details,
) => readonly [message: string, hint?: string | undefined];

/** A row of a package's table of error codes. */
export interface ErrorDefinition<Details extends object> {
  readonly kind: ErrorKind;
  readonly texts: ErrorTexts<Details>;
}

/** Properties of an error in addition to its details. */
export type ErrorContext = Pick<VirguleErrorInit, 'cause' | 'location'>;

/** Returns a row for an error that the author or operator of a bot can fix. */
export function userError<Details extends object = object>(
  texts: ErrorTexts<Details>,
): ErrorDefinition<NoInfer<Details>> {
  return { kind: 'user', texts };
}

/** Returns a row for an error with one remedy and several kinds, named by the details, each with its texts. */
export function userErrorByKind<Details extends { readonly kind: string }>(texts: {
  readonly [Kind in Details['kind']]: ErrorTexts<Extract<Details, { readonly kind: Kind }>>;
}): ErrorDefinition<NoInfer<Details>> {
  // The texts of a kind take the details of that kind.
  return userError<Details>((details) => texts[details.kind as Details['kind']](details as never));
}

/** Returns a row for a bug in Virgule. */
export function bugError<Details extends object = object>(
  texts: ErrorTexts<Details>,
): ErrorDefinition<NoInfer<Details>> {
  return { kind: 'bug', texts };
}

type DetailsOf<Row> = Row extends { readonly texts: (details: infer Details) => unknown }
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
 *   E_PORT_BUSY: userError<{ port: number }>(({ port }) => [
 *     `Port ${port} is already in use.`,
 *     'Stop the other program, or pass another --port.',
 *   ]),
 * });
 * throw errors.E_PORT_BUSY({ port: 7300 });
 * ```
 */
export function defineErrors<Table extends Record<string, ErrorDefinition<never>>>(
  table: Table,
): ErrorFactories<Table> {
  const factory =
    (code: string, { kind, texts }: ErrorDefinition<never>) =>
    (details: never, { cause, location }: ErrorContext = {}) => {
      const [message, hint] = texts(details);
      return new VirguleError({ code, kind, message, hint, details, location, cause });
    };
  // Each factory takes the details of its own row, which the type of fromEntries cannot express.
  return Object.fromEntries(
    Object.entries(table).map(([code, definition]) => [code, factory(code, definition)]),
  ) as ErrorFactories<Table>;
}
