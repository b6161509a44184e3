import { BlockList, isIP } from 'node:net';

const ADDRESSES = new BlockList();
ADDRESSES.addSubnet('127.0.0.0', 8);
ADDRESSES.addAddress('::1', 'ipv6');

/**
 * Returns whether a host without a port is this machine: `localhost`, a name below it (RFC 6761), or a loopback address,
 * also in brackets or mapped to IPv6. Case is ignored.
 */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  const version = isIP(name);
  if (version === 4) return name.startsWith('127.');
  if (version === 6) return ADDRESSES.check(name, 'ipv6');
  return name === 'localhost' || name.endsWith('.localhost');
}

/** Returns whether the host of a URL is this machine. @throws TypeError if it is not a URL. */
export const isLoopbackUrl = (url: string): boolean => isLoopback(new URL(url).hostname);

/** Returns the host in the value of a `Host` header: in lower case, without the port. */
export const hostOf = (header: string): string => header.replace(/:\d+$/, '').toLowerCase();
