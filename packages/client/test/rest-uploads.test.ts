import type { UploadSession } from '@virgule/core/protocol';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import { startScriptedServer, type Fault } from './scripted-server.js';
import { createWatchedClock } from './watched-clock.js';
import { errorOf, openRest } from './test-rest.js';

const file = {
  fileName: 'a "cat"\r\n.png',
  contentType: 'image/png',
  bytes: new Uint8Array([0, 1, 13, 10, 255]),
};

function session(uploadUrl: string, fields: Record<string, unknown> = {}): UploadSession {
  return { ...(readFixture('upload-session') as UploadSession), uploadUrl, fields };
}

describe('attachments.upload', () => {
  it('puts the bytes to the address of the session, without the token', async () => {
    const storage = await startScriptedServer(() => ({}));
    const rest = openRest('http://chat.test');
    await rest.attachments.upload(session(`${storage.url}/bucket/cat.png?signature=s3cret`), file);
    const [request] = storage.requests;
    expect(request?.method).toBe('PUT');
    expect(request?.path).toBe('/bucket/cat.png?signature=s3cret');
    expect(request?.headers['content-type']).toBe('image/png');
    expect(request?.headers).not.toHaveProperty('authorization');
    expect(request?.body).toEqual(Buffer.from(file.bytes));
  });

  it('posts a form when the session has fields, the file last', async () => {
    const storage = await startScriptedServer(() => ({ status: 204 }));
    const rest = openRest('http://chat.test');
    await rest.attachments.upload(session(storage.url, { key: 'k1', 'x"y': 7 }), file);
    const [request] = storage.requests;
    expect(request?.method).toBe('POST');
    expect(request?.headers).not.toHaveProperty('authorization');
    const contentType = request?.headers['content-type'] ?? '';
    const form = await new Response(new Uint8Array(request?.body ?? []), {
      headers: { 'content-type': contentType },
    }).formData();
    const part = form.get('file') as File;
    expect([...form.keys()]).toEqual(['key', 'x"y', 'file']);
    expect(form.get('key')).toBe('k1');
    expect(form.get('x"y')).toBe('7');
    expect(part.name).toBe(file.fileName);
    expect(part.type).toBe('image/png');
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(file.bytes);
  });

  it('goes to the platform itself when the address has no host, still without the token', async () => {
    const server = await startScriptedServer(() => ({}));
    await openRest(server.url).attachments.upload(session('/uploads/1'), file);
    expect(server.requests[0]?.path).toBe('/uploads/1');
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('warns once of an address that is not encrypted', async () => {
    const lines: unknown[] = [];
    const log = { ...silentLog, warn: (...line: unknown[]) => void lines.push(line) };
    const rest = openRest('https://chat.test', { log });
    const options = { signal: AbortSignal.abort() };
    for (const host of ['https://files.test', 'http://localhost', 'http://a.test', 'http://b.test'])
      await errorOf(rest.attachments.upload(session(`${host}/1?signature=s3cret`), file, options));
    expect(lines).toEqual([
      [
        { name: 'uploadUrl', origin: 'http://a.test' },
        expect.stringMatching(/^uploadUrl .*can read the files.*https:/),
      ],
    ]);
  });

  it('reports a refusal by its status, keeps the address secret, and continues with the token', async () => {
    const storage = await startScriptedServer(() => ({ status: 401, text: '<Error/>' }));
    const server = await startScriptedServer(() => ({ json: readFixture('bot-me') }));
    const rest = openRest(server.url);
    const error = await errorOf(
      rest.attachments.upload(session(`${storage.url}/b?signature=s3cret`), file),
    );
    expect(error.code).toBe('E_API_REFUSED');
    expect(error.details).toMatchObject({
      endpoint: 'attachments.upload',
      route: `PUT ${storage.url}`,
      status: 401,
    });
    expect(JSON.stringify([error.message, error.details])).not.toContain('s3cret');
    await rest.users.me();
  });

  it('is sent again after a fault: the same bytes under the same key', async () => {
    const clock = createWatchedClock({ stepping: true });
    const storage = await startScriptedServer((_request, index): Fault | object =>
      index === 0 ? 'reset' : {},
    );
    await openRest('http://chat.test', { clock }).attachments.upload(session(storage.url), file);
    expect(storage.requests).toHaveLength(2);
  });

  it('may take ten times as long as another call', async () => {
    const clock = createFakeClock();
    const storage = await startScriptedServer(() => 'stall');
    const rest = openRest('http://chat.test', { clock, deadlineMs: 1_000 });
    let ended = false;
    const call = errorOf(rest.attachments.upload(session(storage.url), file)).finally(
      () => (ended = true),
    );
    await eventually(() => expect(storage.requests).toHaveLength(1));
    await clock.advance(9_999);
    expect(ended).toBe(false);
    await clock.advance(1);
    expect((await call).code).toBe('E_TIMEOUT');
  });

  it('refuses an address that is none', async () => {
    const rest = openRest('http://chat.test');
    const error = await errorOf(
      rest.attachments.upload(session('s3://bucket/key?signature=s3cret'), file),
    );
    expect(error.code).toBe('E_BAD_ADDRESS');
    expect(error.details).toMatchObject({ name: 'uploadUrl', seen: 's3://bucket/…' });
  });

  it.each(['', ' ', undefined])('refuses the address %j', async (uploadUrl) => {
    const server = await startScriptedServer(() => ({}));
    const opened = { ...session(''), uploadUrl } as UploadSession;
    const error = await errorOf(openRest(server.url).attachments.upload(opened, file));
    expect(error.code).toBe('E_BAD_ADDRESS');
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['no fields', { fields: null }],
    ['fields that are none', { fields: 'none' }],
    ['a maxBytes of null', { maxBytes: null }],
    ['a maxBytes of 0', { maxBytes: 0 }],
    ['a negative maxBytes', { maxBytes: -1 }],
  ])('puts the bytes to the address of a session with %s', async (_what, odd) => {
    const storage = await startScriptedServer(() => ({}));
    const opened = { ...session(storage.url), ...odd } as UploadSession;
    await openRest('http://chat.test').attachments.upload(opened, file);
    expect(storage.requests[0]?.method).toBe('PUT');
    expect(storage.requests[0]?.body).toEqual(Buffer.from(file.bytes));
  });

  it('says that a file is not sent where a redirect leads', async () => {
    const storage = await startScriptedServer(() => ({ status: 307, headers: { location: '/x' } }));
    const opened = session(storage.url);
    const error = await errorOf(openRest('http://chat.test').attachments.upload(opened, file));
    expect(error.code).toBe('E_BAD_RESPONSE');
    expect(error.message).toContain('a redirect, which is not followed');
    expect(error.message).not.toContain('token');
  });

  it('reaches more hosts than it keeps pools for', async () => {
    const rest = openRest('http://chat.test');
    for (let host = 0; host < 12; host += 1) {
      const storage = await startScriptedServer(() => ({}));
      await rest.attachments.upload(session(storage.url), file);
      expect(storage.requests).toHaveLength(1);
    }
  });
});
