import type { Log } from '@virgule/core/log';
import { isLoopbackUrl } from '@virgule/core/net';
import { type AddressName, clientErrors } from '../errors/client-errors.js';

/**
 * Returns the parts of an address without secrets (query, fragment, credentials) and without `appended` at the end of its path.
 *
 * @throws VirguleError `E_BAD_ADDRESS` for an invalid URL or another scheme.
 */
export function resolveAddress(
  name: AddressName,
  value: string,
  schemes: readonly string[],
  appended = '',
) {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !schemes.includes(url.protocol) || url.hostname === '') {
    const seen = withoutSecrets(String(value));
    // Path and query of an upload address are a permission to write.
    const shown = name === 'uploadUrl' ? seen.replace(/^(\w+:\/\/[^/]*\/).*$/, '$1…') : seen;
    throw clientErrors.E_BAD_ADDRESS({ name, seen: shown, schemes });
  }
  const path = withoutSlashes(url.pathname);
  const isAppended = appended !== '' && path.endsWith(appended);
  return {
    /** Scheme, host and port: `https://chat.example.com`. */
    origin: url.origin,
    /** Path that comes before every other one, without a slash at its end; often empty. */
    prefix: isAppended ? withoutSlashes(path.slice(0, -appended.length)) : path,
  };
}

/** Removes slashes at the end. */
const withoutSlashes = (path: string): string => path.replace(/\/+$/, '');

const withoutSecrets = (value: string): string =>
  value.replace(/\/\/[^/@]*@/, '//…@').replace(/[?#].*$/s, '');

/** Name of the address of a server, not of a proxy. */
type ServerName = Exclude<AddressName, 'proxy'>;

const TOKEN_RISK = 'read the bot token, act as the bot, and read every message';
const RISKS: Readonly<Record<ServerName, string>> = {
  baseUrl: TOKEN_RISK,
  gatewayUrl: TOKEN_RISK,
  uploadUrl: 'read the files and replace them',
};

/** Logs the risk of an address that is neither encrypted nor on this machine. Returns true for such an address. */
export function warnUnencrypted(name: ServerName, origin: string, log: Log): boolean {
  const { protocol } = new URL(origin);
  if (protocol === 'https:' || protocol === 'wss:' || isLoopbackUrl(origin)) return false;
  const message = `${name} begins with ${protocol}//, which is not encrypted: anyone on the network path can ${RISKS[name]}, use ${protocol.replace(':', 's:')}// instead`;
  log.warn({ name, origin }, message);
  return true;
}
