import { errorCode } from '@virgule/core/errors';
import { runtimeErrors } from '../errors/runtime-errors.js';

type Parameters = Readonly<Record<string, string | number | null>>;
type Row = Readonly<Record<string, unknown>>;

interface SqliteStatement {
  get(parameters?: Parameters): Row | undefined;
  all(parameters?: Parameters): readonly Row[];
  run(parameters?: Parameters): { readonly changes: number | bigint };
}

/** What `node:sqlite` and the package libsql have in common. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

export type SqliteConstructor = new (path: string) => SqliteDatabase;

/**
 * Imports the SQLite of Node.js if it has one without a flag, else that of the package libsql.
 *
 * @throws VirguleError `E_STORAGE_DRIVER` if there is none of both.
 */
export async function importSqlite(
  version = process.versions.node,
  importLibsql: () => Promise<{ readonly default: unknown }> = () => import('libsql'),
): Promise<SqliteConstructor> {
  if (hasSqlite(version)) {
    // Typed by the oldest Node.js, which has none.
    const builtIn = process.getBuiltinModule('node:sqlite') as unknown as {
      readonly DatabaseSync: SqliteConstructor;
    };
    return builtIn.DatabaseSync;
  }
  try {
    // Its types leave open what a row is.
    return (await importLibsql()).default as SqliteConstructor;
  } catch (error) {
    // A package that is not there has no stack worth reading; one that cannot be loaded has.
    const cause = errorCode(error) === 'ERR_MODULE_NOT_FOUND' ? undefined : error;
    throw runtimeErrors.E_STORAGE_DRIVER({ node: version }, cause === undefined ? {} : { cause });
  }
}

/** Returns whether a version of Node.js has `node:sqlite` without a flag. */
export function hasSqlite(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 13);
}
