import { runtimeErrors } from '../errors/runtime-errors.js';

/** Address at which health is served. */
export interface HealthAddress {
  readonly port: number;
  readonly host: string;
}

const LOOPBACK = '127.0.0.1';
const MAX_PORT = 65_535;

/**
 * Reads the address at which health is served; `undefined` if no port is set. A flag takes precedence over the environment.
 *
 * @throws VirguleError `E_HEALTH_LISTEN` if the port is invalid.
 */
export function readHealthAddress(
  flags: { readonly port?: string | undefined; readonly host?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): HealthAddress | undefined {
  const [from, text] =
    flags.port === undefined
      ? (['BOT_HEALTH_PORT', env['BOT_HEALTH_PORT']] as const)
      : (['--health-port', flags.port] as const);
  if (text === undefined || (text === '' && flags.port === undefined)) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > MAX_PORT)
    throw runtimeErrors.E_HEALTH_LISTEN({ kind: 'port', from, saw: text });
  return { port, host: flags.host || env['BOT_HEALTH_HOST'] || LOOPBACK };
}
