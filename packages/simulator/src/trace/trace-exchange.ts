import type { IncomingHttpHeaders } from 'node:http';
import { recordIn } from '@virgule/core/objects';
import { API_PREFIX } from '@virgule/core/protocol';
import { SIM_CAUSE_HEADER } from '@virgule/core/simulator-api';
import type { RestApi } from '../rest/rest-api.js';
import type { Exchange } from '../server/exchange.js';
import { stringOf } from './trace-rows.js';
import type { Trace } from './trace.js';

const MAX_CAUSE_LENGTH = 64;

/** Maximum size of a body that is decoded, in bytes. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** Returns the group of a request: the interaction in its path, or the id in its cause header. */
export function groupOf(path: string, headers: IncomingHttpHeaders): string | null {
  const interactionId = /\/interactions\/([0-9a-f-]{36})(?:\/|$)/.exec(path)?.[1];
  const cause = headers[SIM_CAUSE_HEADER];
  if (interactionId !== undefined || typeof cause !== 'string') return interactionId ?? null;
  return cause.slice(0, MAX_CAUSE_LENGTH);
}

/** Adds a request of the bot or of a user, except requests of the page to `/_sim` and for its files. */
export function traceExchange(
  trace: Trace,
  { incoming, body, answer, tookMs }: Exchange,
  bot: string | undefined,
  endpointOf: RestApi['endpointOf'],
): void {
  const { method, path, headers } = incoming;
  const isFile = path.startsWith('/_files/');
  const isApi = path.startsWith('/api/') || headers.authorization !== undefined;
  if (path.startsWith('/_sim/') || !(isFile || isApi)) return;
  const isOfUser = path.startsWith(API_PREFIX.user) && !path.startsWith(API_PREFIX.bot);
  const query = incoming.query.size > 0 ? `?${incoming.query.toString()}` : '';
  const { headers: answerHeaders } = answer;
  // Shown because the bot may never receive the command.
  const line = path.endsWith('/interactions/commands') && recordIn(String(body))?.['rawInput'];
  const responseBody = textOf(answer.body, answerHeaders['content-type']);
  const started = isOfUser && recordIn(responseBody)?.['interactionId'];
  trace.add({
    kind: 'request',
    from: isOfUser ? 'user' : 'bot',
    bot,
    // The path of a file is secret: every reader of the path can read the file.
    what: `${method} ${isFile ? '/_files/…' : path + query} ${stringOf(line) ?? ''}`.trimEnd(),
    group: groupOf(path, headers) ?? stringOf(started) ?? null,
    isError: answer.status >= 400 || answer.wire !== undefined,
    status: answer.status || undefined,
    endpoint: endpointOf(method, path)?.number ?? undefined,
    tookMs,
    atMs: trace.now() - tookMs,
    // Keeps neither the request with its socket, nor the bytes of its body.
    sections: {
      'Request body': textOf(body ?? '', headers['content-type']),
      'Response body': responseBody,
      'Request headers': headers,
      'Response headers': answerHeaders,
    },
  });
}

/** Returns a body as text, or a description of a body that is not text. */
function textOf(body: string | Buffer, contentType = ''): string {
  if (body.length === 0) return '';
  const isText = /^$|json|text|urlencoded/.test(contentType) && body.length <= MAX_TEXT_BYTES;
  return isText ? body.toString() : `${body.length} bytes of ${contentType}`;
}
