import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { hashAudio } from './fake-platform.js';

const RTP_HEADER_BYTES = 12;
const SOON = { timeout: 60_000, interval: 50 };

/** The part of an answer of Janus that is used. */
interface Reply {
  readonly data?: { readonly id: number };
  readonly jsep?: { readonly sdp: string };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/**
 * Starts Janus, and a WHIP endpoint in front of it: Janus has an API of its own. Its plugin "EchoTest" records the RTP
 * packets as they arrive.
 */
export async function startJanus() {
  const folder = mkdtempSync(join(tmpdir(), 'voice-janus-'));
  const probe = createTcpServer();
  const port = await listen(probe);
  probe.close();
  const files = {
    'janus.jcfg': 'general: { recordings_tmp_ext = "open" }\n',
    'janus.transport.http.jcfg': `general: { http = true, port = ${port}, ip = "127.0.0.1" }\n`,
  };
  mkdirSync(join(folder, 'config'));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, 'config', name), text);
  const child = spawn('janus', ['-o', '-d', '2', '-F', join(folder, 'config')], { stdio: 'pipe' });
  const log: string[] = [];
  child.on('error', (error) => log.push(error.message));
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => log.push(String(text)));

  const call = async (path: string, body?: object): Promise<Reply> => {
    const response = await fetch(`http://127.0.0.1:${port}/janus${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify({ transaction: 'voice', ...body }) }),
    });
    return (await response.json()) as Reply;
  };
  await vi
    .waitFor(() => call('/info'), SOON)
    .catch(() => {
      throw new Error(`Janus cannot run: apt-get install janus\n${log.join('')}`);
    });

  let session = '';
  const endpoint = createServer((request, response) => {
    void (async () => {
      if (request.method === 'DELETE') {
        await call(session, { janus: 'destroy' });
        return response.writeHead(200).end();
      }
      const sdp = Buffer.concat(await request.toArray()).toString();
      session = `/${(await call('', { janus: 'create' })).data?.id}`;
      const attached = await call(session, { janus: 'attach', plugin: 'janus.plugin.echotest' });
      await call(`${session}/${attached.data?.id}`, {
        janus: 'message',
        body: { audio: true, record: true, filename: join(folder, 'received') },
        jsep: { type: 'offer', sdp },
      });
      for (;;) {
        const { jsep } = await call(session);
        if (!jsep) continue;
        return response.writeHead(201, { location: '/session' }).end(jsep.sdp);
      }
    })();
  });
  const url = `http://127.0.0.1:${await listen(endpoint)}/whip`;
  onTestFinished(() => {
    child.kill('SIGKILL');
    endpoint.closeAllConnections();
    endpoint.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const recording = join(folder, 'received-audio.mjr');
  const result = async () => {
    await expect.poll(() => existsSync(recording), SOON).toBe(true);
    return summary(readFileSync(recording));
  };
  return { url, result };
}

/** Reads a recording: a header of JSON and then RTP packets, each after 8 other bytes and its length. */
function summary(file: Buffer) {
  const parts: Buffer[] = [];
  for (let at = 0; at < file.length;) {
    const start = at + 10;
    at = start + file.readUInt16BE(at + 8);
    parts.push(file.subarray(start, at));
  }
  const packets = parts.slice(1);
  const numbers = packets.map((packet) => packet.readUInt16BE(2));
  const span = ((numbers.at(-1) ?? 0) - (numbers[0] ?? 0) + 65_536) % 65_536;
  return {
    packets: packets.length,
    lost: span + 1 - packets.length,
    audioHash: hashAudio(packets.map((packet) => packet.subarray(RTP_HEADER_BYTES))),
  };
}
