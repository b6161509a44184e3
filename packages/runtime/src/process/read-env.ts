import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResolvedConfig } from '../config/read-config.js';
import { runtimeErrors } from '../errors/runtime-errors.js';

export type Env = Readonly<Record<string, string | undefined>>;

/** The settings for the connection to the platform. */
export type ConnectionSettings = Readonly<ReturnType<typeof readConnection>>;

/** A value in quotes, as Docker's `--env-file` keeps them. */
const QUOTED = /^(["'`])((?:(?!\1).)*)\1$/s;
/** Names of variables whose value is never in quotes: variables of Virgule, and addresses. Other variables may be a JSON string. */
const NEVER_QUOTED = /^(BOT_\w+|\w+_URL)$/;

/** Returns the names of the `.env` files of a mode, in order of increasing precedence. */
export const envFileNames = (mode: string): readonly string[] => [
  '.env',
  '.env.local',
  `.env.${mode}`,
  `.env.${mode}.local`,
];

/**
 * Returns the environment with the `.env` files of a folder. Order of precedence: variables of the process,
 * `.env.<mode>.local`, `.env.<mode>`, `.env.local`, `.env`. Missing files are skipped.
 *
 * @param onIgnored - called with a message for each line that cannot be read.
 * @throws VirguleError `E_PROJECT_UNREADABLE` if a file exists and cannot be read.
 */
export function readEnv(
  root: string,
  mode: string,
  processEnv: Env = process.env,
  onIgnored: (text: string) => void = () => {},
): Env {
  const env: Record<string, string | undefined> = {};
  for (const { name, variables, ignored } of parsedFiles(root, mode)) {
    Object.assign(env, variables);
    for (const line of ignored) onIgnored(`${name}:${line} is not NAME=value and is ignored`);
  }
  for (const [name, value] of Object.entries(processEnv)) {
    env[name] = NEVER_QUOTED.test(name) ? value?.replace(QUOTED, '$2') : value;
  }
  return env;
}

/** Returns the `.env` files that exist in a folder, with their ignored lines, for messages: `.env (not line 1)`. */
export const envFilesRead = (root: string, mode: string): readonly string[] =>
  parsedFiles(root, mode).map(({ name, ignored }) =>
    ignored.length === 0
      ? name
      : `${name} (not line${ignored.length === 1 ? '' : 's'} ${ignored.join(', ')})`,
  );

/**
 * Reads the token and the addresses of the platform. For the addresses, the environment takes precedence
 * over the settings of the project.
 *
 * @param place - folder and mode of the environment, for the errors.
 * @throws VirguleError `E_TOKEN_MISSING` or `E_ADDRESS_MISSING`.
 */
export function readConnection(
  env: Env,
  config: Pick<ResolvedConfig, 'baseUrl' | 'gatewayUrl'> = {},
  { root, mode }: { readonly root: string; readonly mode: string } = {
    root: process.cwd(),
    mode: 'production',
  },
) {
  const token = env['BOT_TOKEN'];
  const baseUrl = env['BOT_BASE_URL'] || config.baseUrl;
  const gatewayUrl = env['BOT_GATEWAY_URL'] || config.gatewayUrl;
  if (token && baseUrl && gatewayUrl) return { token, baseUrl, gatewayUrl };
  const place = { mode, files: envFilesRead(root, mode) };
  if (!token) throw runtimeErrors.E_TOKEN_MISSING(place);
  throw runtimeErrors.E_ADDRESS_MISSING({ ...place, setting: baseUrl ? 'gatewayUrl' : 'baseUrl' });
}

function parsedFiles(root: string, mode: string) {
  return envFileNames(mode).flatMap((name) => {
    const text = readIfPresent(join(root, name));
    return text === undefined ? [] : [{ name, ...parseEnv(text) }];
  });
}

function readIfPresent(file: string): string | undefined {
  try {
    return decode(readFileSync(file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const context = { cause: error, location: { file } };
    throw runtimeErrors.E_PROJECT_UNREADABLE({ path: file, reason: message }, context);
  }
}

/** Decodes a text file in UTF-8 or UTF-16, which Windows PowerShell writes. Removes a byte order mark. */
function decode(bytes: Uint8Array): string {
  const mark = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
  const reversed = bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
  return new TextDecoder(mark ?? reversed).decode(bytes);
}

/** An assignment, as dotenv 17 reads it: up to the end of the line, or over several lines in quotes. */
const ASSIGNMENT =
  /\s*(?:export\s+)?([\w.-]+)(?:[^\S\n]*=[^\S\n]*|:[^\S\n]+)('(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`|[^#\n]+)?[^\S\n]*(?:#.*)?$/my;
const BLANK = /\s*(?:#.*)?$/my;

/** Parses the text of a `.env` file by the rules of dotenv. The rules of `util.parseEnv` depend on the version of Node.js. */
export function parseEnv(text: string) {
  const source = text.replace(/\r\n?/g, '\n');
  const variables = new Map<string, string>();
  /** Numbers of the lines that are neither an assignment nor a comment, counted from 1. */
  const ignored: number[] = [];
  for (let at = 0, line = 1; at < source.length;) {
    ASSIGNMENT.lastIndex = BLANK.lastIndex = at;
    const [, name, value = ''] = ASSIGNMENT.exec(source) ?? [];
    let end = ASSIGNMENT.lastIndex;
    if (name !== undefined) variables.set(name, valueOf(value.trim()));
    else if (BLANK.test(source)) end = BLANK.lastIndex;
    else {
      ignored.push(line);
      end = source.indexOf('\n', at);
      if (end === -1) end = source.length;
    }
    line += source.slice(at, end + 1).split('\n').length - 1;
    at = end + 1;
  }
  return { variables: Object.fromEntries(variables), ignored };
}

function valueOf(text: string): string {
  const inner = text.replace(/^(["'`])(.*)\1$/s, '$2');
  return text.startsWith('"') ? inner.replace(/\\n/g, '\n').replace(/\\r/g, '\r') : inner;
}
