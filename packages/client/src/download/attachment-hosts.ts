import { isObject } from '@virgule/core/objects';

/** The maximum number of hosts that are remembered: the platform has few. */
const MAX_HOSTS = 64;

/** The hosts of files: that of the platform, and those that its answers named (Bot Interface, Endpoints #18 and #19). */
export class AttachmentHosts {
  readonly #home: string;
  readonly #seen = new Set<string>();

  constructor(home: string) {
    this.#home = home;
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
    return origin === this.#home || this.#seen.has(host) || hosts.includes(host);
  }

  #add(url: unknown): void {
    if (typeof url !== 'string' || !URL.canParse(url)) return;
    const { host } = new URL(url);
    // The host that was named last is removed last.
    this.#seen.delete(host);
    this.#seen.add(host);
    const [oldest = ''] = this.#seen;
    if (this.#seen.size > MAX_HOSTS) this.#seen.delete(oldest);
  }
}
