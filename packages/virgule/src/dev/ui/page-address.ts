import { networkInterfaces } from 'node:os';
import { isLoopback } from '@virgule/core/net';

export interface PageAddressOptions {
  /** Requested host; loopback if `undefined`. */
  readonly host: string | undefined;
  readonly port: number;
  /** Key that users on other machines need. */
  readonly accessKey: string | undefined;
  /** @defaultValue the interfaces of this machine */
  readonly interfaces?: ReturnType<typeof networkInterfaces> | undefined;
}

const ALL = ['0.0.0.0', '::'];

/** Returns whether only this machine can reach a server that listens on this host. */
export const isPrivateHost = (host: string | undefined): boolean =>
  host === undefined || isLoopback(host);

/** Returns the address of the page for other machines, with the key; `undefined` if none can reach the page. */
export function sharedAddress(options: PageAddressOptions): string | undefined {
  const { host, port, accessKey, interfaces = networkInterfaces() } = options;
  if (host === undefined || isLoopback(host) || accessKey === undefined) return undefined;
  const name = ALL.includes(host) ? outerAddress(interfaces) : host;
  if (name === undefined) return undefined;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/?access=${accessKey}`;
}

/** Returns the address by which other machines most likely reach this one. */
function outerAddress(interfaces: ReturnType<typeof networkInterfaces>): string | undefined {
  const outer = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ internal }) => !internal);
  return (outer.find(({ family }) => family === 'IPv4') ?? outer[0])?.address;
}
