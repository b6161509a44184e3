// Source: RFC 9725 (WHIP), sections 4.2 to 4.5.
import { linkSignals } from '@virgule/core/abort';
import type { Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import { voiceErrors } from '../errors/voice-errors.js';

/** Options of the requests to a WHIP endpoint. */
export interface WhipOptions {
  readonly clock: Clock;
  /** @defaultValue `globalThis.fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Address and key of an ingress. */
export interface WhipTarget {
  readonly url: string;
  /** Secret that grants the right to publish. */
  readonly streamKey: string;
}

/** A session that a WHIP endpoint has created. */
export interface WhipSession {
  /** The SDP of the endpoint. */
  readonly answer: string;
  /** Asks the endpoint to end the session, for up to 1.5 s. Without an answer, the session ends with its ingress. */
  end(): Promise<void>;
}

const MAX_REDIRECTS = 5;
const POST_TIMEOUT_MS = 10_000;
const END_TIMEOUT_MS = 1_500;
const MAX_ANSWER_BYTES = 262_144;
const REDIRECTS = [307, 308];

/**
 * Publishes an offer to a WHIP endpoint.
 *
 * @throws VirguleError `E_VOICE_INGRESS`, without the key of the target and without the address of a session, which
 * contains a key.
 */
export async function publish(
  target: WhipTarget,
  offer: string,
  options: WhipOptions,
): Promise<WhipSession> {
  const first = addressOf(target.url);
  if (!first)
    throw voiceErrors.E_VOICE_INGRESS({
      kind: 'unreachable',
      address: target.url.replace(/[?#].*$/, ''),
      reason: 'it has no http: or https: address',
    });
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const { response, body } = await exchange(url, {
      ...options,
      timeoutMs: POST_TIMEOUT_MS,
      method: 'POST',
      headers: {
        // A host that a redirect leads to gets the key as well: WHIP uses it to choose a server.
        authorization: `Bearer ${target.streamKey}`,
        'content-type': 'application/sdp',
      },
      body: offer,
    });
    const address = url.origin;
    const next = addressOf(response.headers.get('location'), url);
    if (REDIRECTS.includes(response.status)) {
      if (!next) throw invalidAnswer(address, 'it redirects to no address that can be used');
      url = next;
      continue;
    }
    if (response.status !== 201) throw refused(url, response.status, body, target.streamKey);
    // Behind a proxy, the address may be wrong: the session then ends with its connection and its ingress.
    const end = async (): Promise<void> => {
      const timeoutMs = END_TIMEOUT_MS;
      const headers = { authorization: `Bearer ${target.streamKey}` };
      const request = { ...options, signal: undefined, timeoutMs, method: 'DELETE', headers };
      if (next) await exchange(next, request).catch(() => {});
    };
    const reason = rejection(body);
    if (reason === undefined) return { answer: body, end };
    // The session exists and would remain.
    await end();
    throw invalidAnswer(address, reason);
  }
  throw invalidAnswer(url.origin, `it redirects more than ${MAX_REDIRECTS} times`);
}

/** Returns the problem of an answer; `undefined` for a valid answer. */
function rejection(answer: string): string | undefined {
  if (!answer.startsWith('v=0')) return 'its body is not SDP';
  return /^m=audio 0 /m.test(answer) ? 'it rejects the audio' : undefined;
}

const invalidAnswer = (address: string, reason: string): Error =>
  voiceErrors.E_VOICE_INGRESS({ kind: 'answer', address, reason });

async function exchange(url: URL, options: WhipOptions & RequestInit & { timeoutMs: number }) {
  const { clock, fetch = globalThis.fetch, signal, timeoutMs, ...init } = options;
  signal?.throwIfAborted();
  const limit = linkSignals(signal);
  const timer = clock.setTimeout(
    () => limit.abort(new Error(`no answer within ${Math.round(timeoutMs)} ms`)),
    timeoutMs,
  );
  try {
    // Redirects are followed by hand: fetch would drop the key when the host changes.
    const response = await fetch(url, { ...init, redirect: 'manual', signal: limit.signal });
    return { response, body: await readBody(response) };
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    const cause = limit.signal.aborted ? limit.signal.reason : error;
    // undici's own message is "fetch failed".
    const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    const reason = errorText(inner) || 'the connection was refused';
    throw voiceErrors.E_VOICE_INGRESS({ kind: 'unreachable', address: url.origin, reason });
  } finally {
    timer.cancel();
    limit.unlink();
  }
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error('its answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns the address of an endpoint, which may be relative to another one; `undefined` if it cannot be used. */
function addressOf(text: string | null, base?: URL): URL | undefined {
  if (text === null || !URL.canParse(text, base?.href)) return undefined;
  const url = new URL(text, base);
  // The key is sent there: never without the encryption it had.
  const isSafe = url.protocol === 'https:' || (base?.protocol ?? 'http:') === url.protocol;
  return isSafe ? url : undefined;
}

function refused(url: URL, status: number, body: string, streamKey: string): Error {
  const line = (body.replaceAll(streamKey, '[key]').trim().split('\n')[0] ?? '').slice(0, 120);
  return voiceErrors.E_VOICE_INGRESS({
    kind: 'refused',
    address: url.origin,
    status,
    reason: /^[<{]/.test(line) ? '' : line.replace(/\.$/, ''),
  });
}
