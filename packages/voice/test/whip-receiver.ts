import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@virgule/core/clock';
import { RTCPeerConnection, RTCRtpCodecParameters } from 'werift';

export interface ReceivedSession {
  readonly offer: string;
  /** Payloads of the RTP packets that are not silence. */
  readonly payloads: readonly Buffer[];
  readonly packets: number;
  /** Packets that are missing between the first and the last one. */
  readonly lost: number;
  readonly hash: string;
}

export interface WhipReceiver {
  readonly url: string;
  readonly sessions: readonly ReceivedSession[];
  /** What was requested, with the time since the start in milliseconds. */
  readonly requests: readonly { readonly method: string; readonly atMs: number }[];
  close(): Promise<void>;
}

/** Starts a WHIP endpoint that counts and hashes what it receives over WebRTC. */
export async function startWhipReceiver(streamKey?: string): Promise<WhipReceiver> {
  const sessions: (ReceivedSession & { connection: RTCPeerConnection })[] = [];
  const requests: { method: string; atMs: number }[] = [];

  async function answer(offer: string): Promise<string> {
    const opus = new RTCRtpCodecParameters({
      mimeType: 'audio/opus',
      clockRate: 48_000,
      channels: 2,
      payloadType: 111,
    });
    const connection = new RTCPeerConnection({ codecs: { audio: [opus] }, iceServers: [] });
    const payloads: Buffer[] = [];
    const numbers: number[] = [];
    connection.onTrack.subscribe((track) => {
      track.onReceiveRtp.subscribe(({ header, payload }) => {
        numbers.push(header.sequenceNumber);
        if (payload.length > 3) payloads.push(payload);
      });
    });
    sessions.push({
      connection,
      offer,
      payloads,
      get packets() {
        return numbers.length;
      },
      get lost() {
        const spans = numbers.slice(1).map((number, index) => {
          const step = (number - (numbers[index] ?? 0) + 65_536) % 65_536;
          return step < 32_768 ? step - 1 : -1;
        });
        return spans.reduce((sum, span) => sum + span, 0);
      },
      get hash() {
        const hash = createHash('sha256');
        for (const payload of payloads) hash.update(payload);
        return hash.digest('hex');
      },
    });
    await connection.setRemoteDescription({ type: 'offer', sdp: offer });
    await connection.setLocalDescription(await connection.createAnswer());
    return connection.localDescription?.sdp ?? '';
  }

  const server = createServer((request, response) => {
    void (async () => {
      requests.push({ method: request.method ?? '', atMs: systemClock.monotonic() });
      if (streamKey !== undefined && request.headers.authorization !== `Bearer ${streamKey}`)
        return response.writeHead(401).end();
      if (request.method === 'DELETE') {
        await sessions[Number(request.url?.slice(1))]?.connection.close();
        return response.writeHead(200).end();
      }
      const offer = Buffer.concat(await request.toArray()).toString();
      const sdp = await answer(offer);
      return response.writeHead(201, { location: `/${sessions.length - 1}` }).end(sdp);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/whip`,
    sessions,
    requests,
    async close() {
      await Promise.all(sessions.map(({ connection }) => connection.close()));
      server.closeAllConnections();
      server.close();
    },
  };
}
