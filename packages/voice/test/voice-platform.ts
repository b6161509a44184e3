import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@virgule/core/clock';
import { startWhipReceiver, type WhipReceiver } from './whip-receiver.js';

export interface VoicePlatform {
  readonly baseUrl: string;
  readonly receiver: WhipReceiver;
  /** Requests about ingresses, with the time since the start in milliseconds. */
  readonly requests: readonly { readonly method: string; readonly atMs: number }[];
  /** Resolves when a request with this method has arrived. */
  seen(method: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts the voice endpoints of a platform, and a media server. `onDelete` may answer DELETE in another way. */
export async function startVoicePlatform(
  onDelete: (response: ServerResponse) => void = (response) => void response.writeHead(200).end(),
): Promise<VoicePlatform> {
  const receiver = await startWhipReceiver('key');
  const requests: { method: string; atMs: number }[] = [];
  const waiting: { method: string; resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    const method = request.method ?? '';
    requests.push({ method, atMs: systemClock.monotonic() });
    for (const each of waiting) if (each.method === method) each.resolve();
    if (method === 'DELETE') return onDelete(response);
    const channelId = request.url?.split('/').at(-3);
    const ingress = { ingressId: 'i1', url: receiver.url, streamKey: 'key', channelId };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...ingress, participants: [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    receiver,
    requests,
    async seen(method) {
      if (requests.some((request) => request.method === method)) return;
      await new Promise<void>((resolve) => waiting.push({ method, resolve }));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await receiver.close();
    },
  };
}
