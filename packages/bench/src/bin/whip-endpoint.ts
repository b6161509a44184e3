// The program that receives the streams of the bench, so that its CPU time is not measured.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReceiver, type ReceivingSession } from '@virgule/voice/receiver';

const receiver = await createReceiver(['node-datachannel']);
if (!receiver) throw new Error('node-datachannel cannot be loaded');
const sessions: ReceivingSession[] = [];

const server = createServer((request, response) => {
  void (async () => {
    if (request.method === 'DELETE') {
      await sessions[Number(request.url?.slice(1))]?.close();
      return response.writeHead(200).end();
    }
    if (request.method === 'GET') {
      const packets = sessions.reduce((sum, { received }) => sum + received.packets, 0);
      const lost = sessions.reduce((sum, { received }) => sum + received.lost, 0);
      return response.end(JSON.stringify({ atMs: performance.now(), packets, lost }));
    }
    const session = await receiver.accept(Buffer.concat(await request.toArray()).toString());
    sessions.push(session);
    const headers = { location: `/${sessions.length - 1}` };
    return response.writeHead(201, headers).end(session.answer);
  })();
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
