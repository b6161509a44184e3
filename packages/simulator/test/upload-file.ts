import { once } from 'node:events';
import { request } from 'node:http';
import { uploadSessionSchema, type UploadSession } from '@virgule/core/protocol';
import { expect } from 'vitest';
import type { Platform, Reply } from './open-platform.js';

export interface TestFile {
  readonly fileName?: string;
  readonly contentType?: string;
  readonly bytes?: Buffer;
  readonly channel?: string;
}

const BOUNDARY = 'a-boundary-that-no-file-holds';

/** A multipart form, written by hand so that the test does not depend on a client. */
export function multipart(
  fields: Readonly<Record<string, unknown>>,
  files: readonly Buffer[],
): { readonly headers: Record<string, string>; readonly body: Buffer } {
  const parts = [
    ...Object.entries(fields).map(([name, value]) =>
      Buffer.from(
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
      ),
    ),
    ...files.flatMap((bytes) => [
      Buffer.from(
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="f"\r\ncontent-type: application/octet-stream\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ];
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat(parts),
  };
}

export async function openSession(
  platform: Platform,
  { fileName = 'a.txt', contentType = 'text/plain', bytes, channel = 'general' }: TestFile = {},
): Promise<UploadSession> {
  const reply = await platform.call(
    'attachments.openUpload',
    { channelId: platform.channelId(channel) },
    { body: { fileName, contentType, size: bytes?.length ?? 1 } },
  );
  expect(reply.status).toBe(200);
  return uploadSessionSchema.parse(reply.body);
}

/** Sends bytes to an open session by the rules of the interface: to `uploadUrl`, with its fields. */
export function sendFile(
  platform: Platform,
  session: UploadSession,
  bytes: Buffer,
): Promise<Reply> {
  return platform.send('POST', session.uploadUrl, multipart(session.fields, [bytes]));
}

/** Starts to send bytes. Resolves when the server has started to read; `end` sends the rest and returns the status. */
export async function startSlowPut(
  url: string,
  start: string,
): Promise<{ end(rest: string): Promise<number> }> {
  const sent = request(url, { method: 'PUT', headers: { expect: '100-continue' } });
  const status = new Promise<number>((resolve, reject) => {
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
  });
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write(start);
  return {
    end(rest) {
      sent.end(rest);
      return status;
    },
  };
}

/** Opens a session, uploads a file, and returns its key for a message. */
export async function uploadFile(platform: Platform, file: TestFile = {}): Promise<string> {
  const session = await openSession(platform, file);
  const reply = await sendFile(platform, session, file.bytes ?? Buffer.from('x'));
  expect(reply.status).toBe(200);
  return session.objectKey;
}
