import { runtimeErrors } from '../errors/runtime-errors.js';

export interface HealthAddress {
  /** Port to listen on; 0 selects any free port. */
  readonly port: number;
  readonly host: string;
}

const LOOPBACK = '127.0.0.1';
const MAX_PORT = 65_535;

/** A port, or a host and a port; an IPv6 address is in brackets. */
const ADDRESS = /^(?:(?:\[(?<ipv6>.+)\]|(?<name>[^:]+)):)?(?<port>\d+)$/;

/**
 * Reads where health is served; `undefined` if no port is set. The flag takes precedence over the environment.
 *
 * @param flag - the value of `--health`, such as `9090` or `0.0.0.0:9090`.
 * @throws VirguleError `E_HEALTH_LISTEN` if the value is invalid.
 */
export function readHealthAddress(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): HealthAddress | undefined {
  const saw = flag ?? (env['BOT_HEALTH_PORT'] || undefined);
  if (saw === undefined) return undefined;
  const { ipv6, name = ipv6, port } = ADDRESS.exec(saw)?.groups ?? {};
  if (port === undefined || Number(port) > MAX_PORT) {
    const from = flag === undefined ? 'BOT_HEALTH_PORT' : '--health';
    throw runtimeErrors.E_HEALTH_LISTEN({ kind: 'port', from, saw });
  }
  return { port: Number(port), host: name ?? (env['BOT_HEALTH_HOST'] || LOOPBACK) };
}
