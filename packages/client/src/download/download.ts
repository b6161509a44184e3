import { onAbort } from '@virgule/core/abort';
import { createDeadlines } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';
import { isVirguleError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { isObject } from '@virgule/core/objects';
import { clientErrors, interruption } from '../errors/client-errors.js';
import { Exchange, type ExchangeResult } from '../request/exchange.js';
import type { Pools } from '../request/pool.js';
import type { DownloadOptions } from '../rest/calls.js';
import { checkNumbers } from '../rest/check-input.js';
import type { RestSettings } from '../rest/rest-options.js';

const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 3;
/** Maximum silence of the server, in milliseconds. */
const PATIENCE_MS = 15_000;

const ENDPOINT = 'attachments.download';

/** Creates the call that downloads a file. */
export function createDownload(settings: RestSettings, pools: Pools, hosts: AttachmentHosts) {
  const { clock, closing, uploadDeadlineMs, userAgent } = settings;
  const deadlines = createDeadlines(clock);

  return async (file: string, options: DownloadOptions = {}): Promise<Blob> => {
    const { maxBytes = DEFAULT_MAX_BYTES, deadlineMs = uploadDeadlineMs, types, signal } = options;
    checkNumbers(ENDPOINT, { maxBytes, deadlineMs });
    const startMs = clock.monotonic();
    const deadlineAtMs = startMs + deadlineMs;

    async function get(url: URL): Promise<ExchangeResult> {
      const limits = { deadlines, patienceMs: PATIENCE_MS, deadlineAtMs, maxBytes };
      const exchange = new Exchange({ ...limits, startMs: clock.monotonic() });
      const interrupt = (): void => exchange.interrupt();
      const detach = [closing, signal].map((each) => each && onAbort(each, interrupt));
      const { origin, pathname, search } = url;
      const lane = isNamedWithPort(url.href, options.hosts) ? 'named-download' : 'download';
      const request = {
        origin,
        path: pathname + search,
        method: 'GET',
        // Without the token. A compressed file could be larger than its bytes.
        headers: { 'accept-encoding': 'identity', 'user-agent': userAgent },
        body: null,
      } as const;
      pools.dispatch(request, lane, exchange);
      const result = await exchange.result;
      for (const each of detach) each?.();
      return result;
    }

    function failure({ phase, why, error }: ExchangeResult, { origin }: URL): Error {
      if (isVirguleError(error)) return error;
      const elapsedMs = Math.round(clock.monotonic() - startMs);
      const facts = { endpoint: ENDPOINT, route: `GET ${origin}`, attempts: 1, elapsedMs };
      if (why !== 'fault' || closing.aborted || signal?.aborted) {
        const maybeSent = phase !== 'connecting';
        return interruption({ ...facts, phase, maybeSent }, closing, signal);
      }
      const reason = error && 'code' in error ? String(error.code) : (error?.message ?? 'unknown');
      const details = { ...facts, address: origin, phase, reason };
      return clientErrors.E_UNREACHABLE(details, { cause: error });
    }

    let next = file;
    for (let redirects = 0; ; redirects += 1) {
      // A query often holds a key.
      const name = String(next)
        .replace(/[?#].*$/s, '')
        .slice(0, 200);
      const refuse = (reason: RefusalReason, seen = ''): Error =>
        clientErrors.E_ATTACHMENT_REFUSED({ reason, url: name, seen, types });
      if (!hosts.allow(next, options.hosts)) throw refuse('host');
      if (redirects > MAX_REDIRECTS) throw refuse('redirects', String(MAX_REDIRECTS));
      const url = new URL(next);
      const result = await get(url);
      if (result.why === 'too-large') throw refuse('size', String(maxBytes));
      if (result.why !== 'answered') throw failure(result, url);
      const { status = 0, body } = result;
      const location = result.header('location') ?? '';
      if (status >= 300 && status < 400 && URL.canParse(location, url.href)) {
        next = new URL(location, url).href;
        continue;
      }
      if (status !== 200) throw refuse('status', String(status));
      const encoding = result.header('content-encoding') || 'identity';
      if (encoding !== 'identity') throw refuse('encoding', encoding);
      const type = result.header('content-type') ?? '';
      if (types && !isTypeOf(type, types)) throw refuse('type', type || 'none');
      return new Blob([body], { type });
    }
  };
}

type RefusalReason = Parameters<typeof clientErrors.E_ATTACHMENT_REFUSED>[0]['reason'];

/** Returns true if a content type matches one of `types`, such as `text/plain` and `image/*`. */
function isTypeOf(contentType: string, types: readonly string[]): boolean {
  const [type = ''] = contentType.toLowerCase().split(';', 1);
  return types.some((each) =>
    each.endsWith('/*') ? type.startsWith(each.slice(0, -1)) : type.trim() === each,
  );
}

/** Number of latest hosts to remember, and maximum number of logged hosts: a platform has few. */
const MAX_HOSTS = 64;

/** Hosts of files: the platform, and the hosts that its answers named (Bot Interface, Endpoints #18 and #19). */
export class AttachmentHosts {
  readonly #home: string;
  readonly #log: Log;
  readonly #seen = new LruMap<true>(2 * MAX_HOSTS);
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

  /** Returns true for the URL of a file on the platform, a known host, or one of `hosts`. */
  allow(url: string, hosts: readonly string[] = []): boolean {
    if (!URL.canParse(url)) return false;
    const { protocol, origin, host, username, password } = new URL(url);
    if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') return false;
    const isSeen = this.#seen.get(origin) ?? this.#seen.get(origin.replace('https:', 'http:'));
    if (origin === this.#home || isSeen || hosts.includes(host) || isNamedWithPort(url, hosts))
      return true;
    this.#reportRefused(host);
    return false;
  }

  #add(url: unknown): void {
    if (typeof url !== 'string' || !URL.canParse(url)) return;
    this.#seen.set(new URL(url).origin, true);
  }

  #reportRefused(host: string): void {
    if (this.#refused.has(host) || this.#refused.size >= MAX_HOSTS) return;
    this.#refused.add(host);
    const message =
      'refused the URL of a file: if your platform has files on this host, add it to attachments: { hosts } in virgule.config.ts';
    this.#log.warn({ host }, message);
  }
}

/** Returns true if `hosts` contains the host of a URL with its port, so that the host may have a private address. */
function isNamedWithPort(url: string, hosts: readonly string[] = []): boolean {
  const { hostname, port, protocol } = new URL(url);
  return hosts.includes(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);
}
