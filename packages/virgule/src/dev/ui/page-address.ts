import { networkInterfaces } from 'node:os';

export interface PageAddressOptions {
  /** What was asked to listen on; loopback when nothing was. */
  readonly host: string | undefined;
  readonly port: number;
  /** What people from elsewhere have to know. */
  readonly accessKey: string | undefined;
  /** @defaultValue those of this machine */
  readonly interfaces?: ReturnType<typeof networkInterfaces> | undefined;
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];
const ALL = ['0.0.0.0', '::'];

/** Whether only this machine can reach what listens there. */
export const isLoopback = (host: string | undefined): boolean =>
  host === undefined || LOOPBACK.includes(host);

/** The address of the page for other machines, with the key; `undefined` when only this one can reach it. */
export function sharedAddress(options: PageAddressOptions): string | undefined {
  const { host, port, accessKey, interfaces = networkInterfaces() } = options;
  if (host === undefined || isLoopback(host) || accessKey === undefined) return undefined;
  const name = ALL.includes(host) ? outerAddress(interfaces) : host;
  if (name === undefined) return undefined;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/?access=${accessKey}`;
}

/** By which other machines most likely reach this one. */
function outerAddress(interfaces: ReturnType<typeof networkInterfaces>): string | undefined {
  const outer = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ internal }) => !internal);
  return (outer.find(({ family }) => family === 'IPv4') ?? outer[0])?.address;
}
