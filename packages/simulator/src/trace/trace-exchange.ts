import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '@virgule/core/objects';
import { API_PREFIX } from '@virgule/core/protocol';
import { SIM_CAUSE_HEADER } from '@virgule/core/simulator-api';
import type { Exchange } from '../server/exchange.js';
import { maskSecrets } from './trace-rows.js';
import type { Trace } from './trace.js';

const MAX_CAUSE_LENGTH = 64;

/** Larger bodies are not decoded. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** Values of headers that are never shown. */
const SECRET_HEADERS = /^(authorization|cookie|set-cookie)$/;

/** Returns the group of a request: the interaction in its path, or what it names as its cause. */
export function groupOf(path: string, headers: IncomingHttpHeaders): string | null {
  const interactionId = /\/interactions\/([0-9a-f-]{36})(?:\/|$)/.exec(path)?.[1];
  const cause = headers[SIM_CAUSE_HEADER];
  if (interactionId !== undefined || typeof cause !== 'string') return interactionId ?? null;
  return cause.slice(0, MAX_CAUSE_LENGTH);
}

/** Adds a request of the bot or of a user. Requests of the page to `/_sim`, and for its own files, are no part of a trace. */
export function traceExchange(
  trace: Trace,
  { incoming, body, answer, tookMs }: Exchange,
  endpoint: number | undefined,
): void {
  const { method, path, headers } = incoming;
  const isFile = path.startsWith('/_files/');
  const isApi = path.startsWith('/api/') || headers.authorization !== undefined;
  if (path.startsWith('/_sim/') || !(isFile || isApi)) return;
  const isOfUser = path.startsWith(API_PREFIX.user) && !path.startsWith(API_PREFIX.bot);
  const query = incoming.query.size > 0 ? `?${incoming.query.toString()}` : '';
  const responseBody = textOf(answer.body, answer.headers['content-type']);
  trace.add({
    kind: 'request',
    from: isOfUser ? 'user' : 'bot',
    // Who knows the path of a file can read it.
    what: `${method} ${isFile ? '/_files/…' : path + query}`,
    group: groupOf(path, headers) ?? (isOfUser ? interactionIn(responseBody) : null),
    isError: answer.status >= 400 || answer.wire !== undefined,
    status: answer.status || undefined,
    endpoint,
    tookMs,
    atMs: trace.now() - tookMs,
    sections: {
      'Request body': textOf(body ?? '', headers['content-type']),
      'Response body': responseBody,
      'Request headers': shownHeaders(headers),
      'Response headers': shownHeaders(answer.headers),
    },
  });
}

/** Returns a body as it is shown. What is not text is described. */
function textOf(body: string | Buffer, contentType = ''): string {
  if (body.length === 0) return '';
  const isText = /^$|json|text|urlencoded/.test(contentType) && body.length <= MAX_TEXT_BYTES;
  return isText ? maskSecrets(body.toString()) : `${body.length} bytes of ${contentType}`;
}

function shownHeaders(headers: Readonly<Record<string, string | readonly string[] | undefined>>) {
  return Object.entries(headers)
    .filter(([name, value]) => value !== undefined && name !== SIM_CAUSE_HEADER)
    .map(([name, value]) => `${name}: ${SECRET_HEADERS.test(name) ? '[masked]' : String(value)}`)
    .join('\n');
}

/** Returns the id of the interaction that a user started. */
function interactionIn(body: string): string | null {
  try {
    const value: unknown = JSON.parse(body);
    const id = isRecord(value) ? value['interactionId'] : undefined;
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}
