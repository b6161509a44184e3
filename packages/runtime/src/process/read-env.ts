import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { ResolvedConfig } from '../config/read-config.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { readPipe } from './read-pipe.js';

export type Env = Readonly<Record<string, string | undefined>>;

/** The settings for the connection to the platform. */
export interface ConnectionSettings {
  readonly token: string;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
}

/** Returns the files that are read, in order of increasing precedence. */
export const envFileNames = (mode: string): readonly string[] => [
  '.env',
  '.env.local',
  `.env.${mode}`,
  `.env.${mode}.local`,
];

/**
 * Returns the environment with the `.env` files of a folder: a variable of the process takes precedence
 * over `.env.<mode>.local`, that over `.env.<mode>`, `.env.local` and `.env`. Files that do not exist are skipped.
 *
 * @throws VirguleError `E_ENV_UNREADABLE` if one exists and cannot be read.
 */
export function readEnv(root: string, mode: string, processEnv: Env = process.env): Env {
  const env: Record<string, string | undefined> = {};
  for (const name of envFileNames(mode))
    Object.assign(env, parseEnv(readIfPresent(join(root, name))));
  return { ...env, ...processEnv };
}

/**
 * Reads the token and the addresses of the platform. For the addresses, the environment takes precedence
 * over the settings of the project.
 *
 * @throws VirguleError `E_TOKEN_MISSING`, `E_BASE_URL_MISSING` or `E_GATEWAY_URL_MISSING`.
 */
export function readConnection(
  env: Env,
  config: Pick<ResolvedConfig, 'baseUrl' | 'gatewayUrl'> = {},
): ConnectionSettings {
  const token = env['BOT_TOKEN'];
  const baseUrl = env['BOT_BASE_URL'] || config.baseUrl;
  const gatewayUrl = env['BOT_GATEWAY_URL'] || config.gatewayUrl;
  if (!token) throw runtimeErrors.E_TOKEN_MISSING({});
  if (!baseUrl) throw runtimeErrors.E_BASE_URL_MISSING({});
  if (!gatewayUrl) throw runtimeErrors.E_GATEWAY_URL_MISSING({});
  return { token, baseUrl, gatewayUrl };
}

function readIfPresent(file: string): string {
  try {
    // Editors on Windows may write a byte order mark; with it, the first name would be another one.
    const text = statSync(file).isFIFO() ? readPipe(file) : readFileSync(file, 'utf8');
    return text.replace(/^\uFEFF/, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw runtimeErrors.E_ENV_UNREADABLE(
      { file, reason: message },
      { cause: error, location: { file } },
    );
  }
}
