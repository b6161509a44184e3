import { errorCode } from '@virgule/core/errors';
import { runtimeErrors } from '../errors/runtime-errors.js';

type SqlParameters = Readonly<Record<string, string | number | null>>;
type Row = Readonly<Record<string, unknown>>;

/** The common interface of `node:sqlite` and the package libsql. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    get(parameters?: SqlParameters): Row | undefined;
    all(parameters?: SqlParameters): readonly Row[];
    run(parameters?: SqlParameters): { readonly changes: number | bigint };
  };
  close(): unknown;
}

export type SqliteConstructor = new (path: string) => SqliteDatabase;

/** Rolls back a transaction, if one is open. */
export function rollBack(database: SqliteDatabase | undefined): void {
  try {
    database?.exec('ROLLBACK');
  } catch {
    // The transaction had not begun, or SQLite has already rolled it back.
  }
}

/**
 * Imports SQLite from Node.js if available (without a flag since 22.13), else from the package libsql.
 *
 * @throws VirguleError `E_STORAGE_DRIVER` if neither is available.
 */
export async function importSqlite(
  importLibsql: () => Promise<{ readonly default: unknown }> = () => import('libsql'),
  // The types are from the oldest supported Node.js, which has no SQLite.
  loadBuiltIn = (name: string) =>
    process.getBuiltinModule(name) as { DatabaseSync: SqliteConstructor } | undefined,
): Promise<SqliteConstructor> {
  const builtIn = withoutWarning(() => loadBuiltIn('node:sqlite'));
  if (builtIn) return builtIn.DatabaseSync;
  try {
    // The types of libsql do not state the type of a row.
    return (await importLibsql()).default as SqliteConstructor;
  } catch (error) {
    // The cause is kept only if the package is installed and cannot be loaded.
    const cause = errorCode(error) === 'ERR_MODULE_NOT_FOUND' ? undefined : error;
    throw runtimeErrors.E_STORAGE_DRIVER({ node: process.versions.node }, { cause });
  }
}

/** Loads a module of Node.js without an ExperimentalWarning. Other warnings are emitted. */
function withoutWarning<T>(load: () => T): T {
  // oxlint-disable-next-line typescript/unbound-method -- the function does not use `this`, and is restored afterwards.
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: never[]): void => {
    if (!rest.some((each) => each === 'ExperimentalWarning')) emitWarning(warning, ...rest);
  };
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
