import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { startSimulator } from '@virgule/simulator';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadProject, scan } from '@virgule/runtime/project';
import { defineEvent, startBot } from 'virgule';

/** Leads to a port until it is cut. */
async function openCuttableLine(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const upstream = connect(port, '127.0.0.1');
    for (const each of [socket, upstream]) {
      sockets.add(each);
      each.on('error', () => {});
    }
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  // A listening TCP server has an address with a port.
  return { port: (server.address() as AddressInfo).port, cut };
}

it.each([
  ['reads missed messages afterwards', true, ['before', 'missed, recovered', 'after']],
  ['does not, unless it is asked to', false, ['before', 'after']],
])('a bot that was disconnected %s', async (_what, backfill, expected) => {
  const simulator = await startSimulator({ pageDir: null });
  onTestFinished(() => simulator.close());
  const line = await openCuttableLine(simulator.port);
  const seen: string[] = [];
  const file = 'events/message-create.ts';
  const handler = defineEvent('MESSAGE_CREATE', ({ data, recovered }) => {
    seen.push(recovered ? `${data.content}, recovered` : data.content);
  });
  const { project } = await loadProject(scan([file]).manifest, {
    importModule: async () => ({ default: handler }),
  });
  const bot = await startBot({
    token: simulator.token,
    baseUrl: simulator.baseUrl,
    gatewayUrl: `ws://127.0.0.1:${line.port}`,
    project,
    sync: 'never',
    random: () => 0,
    backfill,
  });
  onTestFinished(() => bot.close());

  simulator.sendMessage({ content: 'before' });
  await vi.waitFor(() => expect(seen).toEqual(['before']));
  const { identifies } = simulator.counts;
  line.cut();
  simulator.sendMessage({ content: 'missed' });
  await vi.waitFor(() => expect(simulator.counts.identifies).toBe(identifies + 1));
  // READY is sent with the answer to IDENTIFY, so what follows is an event.
  await vi.waitFor(() => expect(seen).toHaveLength(expected.length - 1));
  simulator.sendMessage({ content: 'after' });
  await vi.waitFor(() => expect(seen).toEqual(expected));
});
