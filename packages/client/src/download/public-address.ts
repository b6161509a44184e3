import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { clientErrors } from '../errors/client-errors.js';

/** Networks that are not the internet (IANA special-purpose address registries). */
const RESERVED = new BlockList();
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Teredo and 6to4 contain an IPv4 address; the others are for protocols and documentation.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]) {
  const [address = '', bits] = network.split('/');
  // Not by `isIP`: Node.js compiles its pattern at the first use, for 3 ms of the start.
  if (address.includes(':')) RESERVED.addSubnet(address, Number(bits), 'ipv6');
  else {
    RESERVED.addSubnet(address, Number(bits), 'ipv4');
    RESERVED.addSubnet(`64:ff9b::${address}`, 96 + Number(bits), 'ipv6');
  }
}

/** The routed part of IPv6, and NAT64. IPv4-mapped, loopback, link-local and unique-local addresses are outside. */
const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6');
GLOBAL_IPV6.addSubnet('64:ff9b::', 96, 'ipv6');

/** Link-local addresses: clouds have the credentials of a machine there. */
const LINK_LOCAL = new BlockList();
LINK_LOCAL.addSubnet('169.254.0.0', 16, 'ipv4');
LINK_LOCAL.addSubnet('64:ff9b::169.254.0.0', 112, 'ipv6');
LINK_LOCAL.addSubnet('fe80::', 10, 'ipv6');
LINK_LOCAL.addAddress('fd00:ec2::254', 'ipv6');

/** Scope of the allowed addresses of a connection: `named` is for a host that the operator named with its port. */
export type AddressScope = 'public' | 'named';

/** Returns true for an IP address of the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !RESERVED.check(address, 'ipv4');
  // A zone, `%eth0`, exists only for addresses of the local network.
  if (version !== 6 || address.includes('%')) return false;
  return GLOBAL_IPV6.check(address, 'ipv6') && !RESERVED.check(address, 'ipv6');
}

/** Returns true for an IP address that is allowed for a host which the operator named with its port. */
const isNamedAddress = (address: string): boolean =>
  !address.includes('%') && !LINK_LOCAL.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** @throws VirguleError `E_ATTACHMENT_REFUSED` for an IP address that is outside of the scope. */
export function checkAddress(host: string, address: string, scope: AddressScope): void {
  const isAllowed = scope === 'named' ? isNamedAddress : isPublicAddress;
  if (isIP(address) !== 0 && !isAllowed(address))
    throw clientErrors.E_ATTACHMENT_REFUSED({ reason: 'address', url: host, seen: address });
}

type ResolveHost = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Creates a `lookup` that fails for a host with an address outside of the scope. Later lookups change nothing. */
export function createCheckedLookup(
  scope: AddressScope,
  resolve: ResolveHost = lookup,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      try {
        if (error) throw error;
        for (const { address } of addresses) checkAddress(host, address, scope);
      } catch (failure) {
        callback(failure as NodeJS.ErrnoException, []);
        return;
      }
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}
