import type { Log } from '@virgule/core/log';
import { isObject } from '@virgule/core/objects';

/** The maximum number of hosts that are remembered, and of those that are logged: the platform has few. */
const MAX_HOSTS = 64;

/** The hosts of files: that of the platform, and those that its answers named (Bot Interface, Endpoints #18 and #19). */
export class AttachmentHosts {
  readonly #home: string;
  readonly #log: Log;
  readonly #seen = new Set<string>();
  readonly #refused = new Set<string>();

  constructor(home: string, log: Log) {
    this.#home = home;
    this.#log = log;
  }

  /** Remembers the host in the answer of an endpoint about files. */
  learn(endpoint: string, answer: unknown): void {
    if (!isObject(answer)) return;
    if (endpoint === 'attachments.accessUrl' && 'url' in answer) this.#add(answer.url);
    if (endpoint === 'attachments.openUpload' && 'publicUrl' in answer) this.#add(answer.publicUrl);
  }

  /** Returns whether a string is a URL of a file: of the platform, of a known host, or of one of `hosts`. */
  allow(url: string, hosts: readonly string[] = []): boolean {
    if (!URL.canParse(url)) return false;
    const { protocol, origin, host, username, password } = new URL(url);
    if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') return false;
    const isSeen = this.#seen.has(origin) || this.#seen.has(origin.replace('https:', 'http:'));
    if (origin === this.#home || isSeen || hosts.includes(host) || isNamedWithPort(url, hosts))
      return true;
    this.#reportRefused(host);
    return false;
  }

  #add(url: unknown): void {
    if (typeof url !== 'string' || !URL.canParse(url)) return;
    const { origin } = new URL(url);
    // The host that was named last is removed last.
    this.#seen.delete(origin);
    this.#seen.add(origin);
    const [oldest = ''] = this.#seen;
    if (this.#seen.size > MAX_HOSTS) this.#seen.delete(oldest);
  }

  #reportRefused(host: string): void {
    if (this.#refused.has(host) || this.#refused.size >= MAX_HOSTS) return;
    this.#refused.add(host);
    const message =
      'refused the URL of a file: if your platform has files on this host, add it to attachments: { hosts } in virgule.config.ts';
    this.#log.warn({ host }, message);
  }
}

/** Returns whether `hosts` has the host of a URL with its port: then it may have a private address. */
export function isNamedWithPort(url: string, hosts: readonly string[] = []): boolean {
  const { hostname, port, protocol } = new URL(url);
  return hosts.includes(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);
}
