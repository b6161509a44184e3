import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@virgule/core/clock';
import { createReceiver } from '../src/receive/receiver.js';
import { withoutCandidates, type LossyRelay } from './lossy-relay.js';
import type { ReceivingSession } from '../src/receiver.js';

export interface WhipReceiver {
  readonly url: string;
  readonly sessions: readonly (ReceivingSession & { readonly offer: string })[];
  /** Requests, with the time since the start in milliseconds. */
  readonly requests: readonly { readonly method: string; readonly atMs: number }[];
  close(): Promise<void>;
}

/** Starts a WHIP endpoint that counts and hashes what it receives over WebRTC. */
export async function startWhipReceiver(
  streamKey?: string,
  relay?: LossyRelay,
): Promise<WhipReceiver> {
  // That of werift does not complete one of five handshakes at 5 % loss: it repeats DTLS records with their old numbers,
  // which the other side drops as replays.
  const receiver = await createReceiver([relay ? 'node-datachannel' : 'werift']);
  if (!receiver) throw new Error('No package of WebRTC is installed.');
  const sessions: (ReceivingSession & { offer: string })[] = [];
  const requests: { method: string; atMs: number }[] = [];

  const server = createServer((request, response) => {
    void (async () => {
      requests.push({ method: request.method ?? '', atMs: systemClock.monotonic() });
      if (streamKey !== undefined && request.headers.authorization !== `Bearer ${streamKey}`)
        return response.writeHead(401).end();
      if (request.method === 'DELETE') {
        await sessions[Number(request.url?.slice(1))]?.close();
        return response.writeHead(200).end();
      }
      const offer = Buffer.concat(await request.toArray()).toString();
      const session = await receiver.accept(relay ? withoutCandidates(offer) : offer);
      const answer = relay ? await relay.redirect(session.answer) : session.answer;
      sessions.push({ ...session, offer });
      return response.writeHead(201, { location: `/${sessions.length - 1}` }).end(answer);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/whip`,
    sessions,
    requests,
    async close() {
      await Promise.all(sessions.map((session) => session.close()));
      server.closeAllConnections();
      server.close();
    },
  };
}
