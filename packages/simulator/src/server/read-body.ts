import type { IncomingMessage } from 'node:http';
import { Refusal, tooLarge } from '../world/refusal.js';

/**
 * Reads the whole body of a request.
 *
 * @throws Refusal with status 413 if the body is larger than `maxBytes`. The rest of the body is read and discarded: a
 * client whose connection closes during an upload would not receive the response.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.removeAllListeners('data');
        request.resume();
        reject(tooLarge(maxBytes));
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => resolve(joined(chunks, size)));
    request.on('error', () => {});
    request.on('close', () => {
      if (request.complete) return;
      reject(
        new Refusal(
          400,
          'sim_request_aborted',
          'The connection was closed before the body was complete.',
        ),
      );
    });
  });
}

function joined(chunks: readonly Buffer[], size: number): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size);
}
