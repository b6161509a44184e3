import { errorCode } from '@virgule/core/errors';
import { runtimeErrors } from '../errors/runtime-errors.js';

type SqlParameters = Readonly<Record<string, string | number | null>>;
type Row = Readonly<Record<string, unknown>>;

interface SqliteStatement {
  get(parameters?: SqlParameters): Row | undefined;
  all(parameters?: SqlParameters): readonly Row[];
  run(parameters?: SqlParameters): { readonly changes: number | bigint };
}

/** What `node:sqlite` and the package libsql have in common. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

export type SqliteConstructor = new (path: string) => SqliteDatabase;

/** Ends a transaction without its changes. */
export function rollBack(database: SqliteDatabase | undefined): void {
  try {
    database?.exec('ROLLBACK');
  } catch {
    // It had not begun, or SQLite has done so.
  }
}

/**
 * Imports the SQLite of Node.js if it has one (without a flag from 22.13 on), else that of the package libsql.
 *
 * @throws VirguleError `E_STORAGE_DRIVER` if there is none of both.
 */
export async function importSqlite(
  importLibsql: () => Promise<{ readonly default: unknown }> = () => import('libsql'),
  // Typed by the oldest Node.js, which has none.
  loadBuiltIn = (name: string) =>
    process.getBuiltinModule(name) as { DatabaseSync: SqliteConstructor } | undefined,
): Promise<SqliteConstructor> {
  const builtIn = withoutWarning(() => loadBuiltIn('node:sqlite'));
  if (builtIn) return builtIn.DatabaseSync;
  try {
    // Its types leave open what a row is.
    return (await importLibsql()).default as SqliteConstructor;
  } catch (error) {
    // A package that is not there has no stack worth reading; one that cannot be loaded has.
    const cause = errorCode(error) === 'ERR_MODULE_NOT_FOUND' ? undefined : error;
    throw runtimeErrors.E_STORAGE_DRIVER({ node: process.versions.node }, { cause });
  }
}

/** Loads a module of Node.js without the warning that it is experimental. Every other warning is emitted. */
function withoutWarning<T>(load: () => T): T {
  // oxlint-disable-next-line typescript/unbound-method -- it does not use `this`, and is put back as it was.
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
