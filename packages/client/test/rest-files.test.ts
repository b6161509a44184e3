import { createReadStream, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isInvalidCall, isUploadFailed, type FileInput } from '@virgule/client/rest';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import { bytes, names, openPlatform, send, sent, type StorageOptions } from './file-platform.js';
import type { Answer } from './scripted-server.js';
import { temporaryFolder } from './temporary-folder.js';
import { createWatchedClock } from './watched-clock.js';
import { CHANNEL, INTERACTION, TOKEN, errorOf } from './test-rest.js';

describe('attachments.uploadAll', () => {
  it('uploads files for a channel, and returns the attachments of a message', async () => {
    const platform = await openPlatform();
    const drafts = await platform.rest.attachments.uploadAll(CHANNEL, [
      { name: 'a.png', data: bytes },
      { name: 'b.txt', data: Buffer.from('text') },
    ]);
    expect(drafts).toEqual([
      { objectKey: 'key-0', fileName: 'a.png', contentType: 'image/png', size: 5 },
      { objectKey: 'key-1', fileName: 'b.txt', contentType: 'text/plain', size: 4 },
    ]);
    // No message is sent.
    expect(names(platform)).toEqual(['upload-session', 'upload-session']);
    expect(await platform.rest.attachments.uploadAll(CHANNEL, [])).toEqual([]);
  });

  it('refuses what is no list, no id, or no time', async () => {
    const { rest } = await openPlatform();
    const file = { name: 'a.png', data: bytes };
    for (const call of [
      rest.attachments.uploadAll(CHANNEL, file as unknown as FileInput[]),
      rest.attachments.uploadAll('general', [file]),
      rest.attachments.uploadAll(CHANNEL, [file], { deadlineMs: Number.NaN }),
    ]) {
      expect(isInvalidCall(await errorOf(call))).toBe(true);
    }
  });

  it('fails when one of them does not arrive', async () => {
    const { rest } = await openPlatform({ upload: () => ({ status: 400 }) });
    const error = await errorOf(rest.attachments.uploadAll(CHANNEL, [{ name: 'a', data: bytes }]));
    expect(isUploadFailed(error)).toBe(true);
  });
});

describe('messages.send with files', () => {
  it('looks relative paths up from the folder it is given, and absolute ones where they say', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'cat.png'), bytes);
    const platform = await openPlatform({ client: { filesRoot: folder } });
    await send(platform, 'cat.png', join(folder, 'cat.png'));
    expect(platform.storage.requests).toHaveLength(2);
    const error = await errorOf(send(platform, 'dog.png'));
    expect(error.message).toContain(join(folder, 'dog.png'));
  });

  it('sends a string with a name as text: what a user typed is never a path', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.env'), 'BOT_TOKEN=s3cret');
    const platform = await openPlatform({ client: { filesRoot: folder } });
    await send(platform, { name: 'note.txt', data: '.env' }, { name: 'ü.txt', data: 'ü' });
    expect(platform.storage.requests.map(({ body }) => body.toString()).toSorted()).toEqual([
      '.env',
      'ü',
    ]);
  });

  it('opens a session, uploads without the token, then sends the message with the key', async () => {
    const path = join(temporaryFolder(), 'cat.png');
    writeFileSync(path, bytes);
    const platform = await openPlatform();
    expect(await send(platform, path)).toEqual(sent);

    const [session, message] = platform.server.requests;
    expect(names(platform)).toEqual(['upload-session', 'messages']);
    const described = { fileName: 'cat.png', contentType: 'image/png', size: 5 };
    expect(session?.json).toEqual(described);
    expect(message?.json).toEqual({
      content: 'Look',
      attachments: [{ objectKey: 'key-0', ...described }],
    });
    const [upload] = platform.storage.requests;
    expect(upload?.method).toBe('PUT');
    expect(upload?.path).toBe('/bucket/0?signature=s3cret');
    expect(upload?.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': '5' });
    expect(JSON.stringify(upload?.headers)).not.toContain(TOKEN);
    expect(upload?.headers).not.toHaveProperty('authorization');
    expect(new Uint8Array(upload?.body ?? [])).toEqual(bytes);
  });

  it.each<[string, (folder: string) => FileInput, string, string]>([
    ['a Buffer', () => Buffer.from(bytes), 'file-1', 'application/octet-stream'],
    ['bytes', () => bytes, 'file-1', 'application/octet-stream'],
    ['a Blob', () => new Blob([bytes], { type: 'image/gif' }), 'file-1', 'image/gif'],
    ['a File', () => new File([bytes], 'a.mp3'), 'a.mp3', 'audio/mpeg'],
    ['a stream', () => Readable.from([bytes]), 'file-1', 'application/octet-stream'],
    [
      'a stream from a file',
      (folder) => {
        writeFileSync(join(folder, 'b.txt'), bytes);
        return createReadStream(join(folder, 'b.txt'));
      },
      'b.txt',
      'text/plain',
    ],
    ['a stream of the web', () => new Blob([bytes]).stream(), 'file-1', 'application/octet-stream'],
    ['bytes with a name', () => ({ name: 'c.pdf', data: bytes }), 'c.pdf', 'application/pdf'],
    [
      'a stream with name, type and size',
      () => ({ name: 'd', data: Readable.from([bytes]), contentType: 'audio/wav' }),
      'd',
      'audio/wav',
    ],
    [
      'a path with another name',
      (folder) => {
        writeFileSync(join(folder, 'x.bin'), bytes);
        return { name: 'e.webm', path: join(folder, 'x.bin') };
      },
      'e.webm',
      'video/webm',
    ],
  ])('takes %s', async (_name, make, fileName, contentType) => {
    const platform = await openPlatform();
    await send(platform, make(temporaryFolder()));
    expect(platform.server.requests[0]?.json).toEqual({ fileName, contentType, size: 5 });
    expect(new Uint8Array(platform.storage.requests[0]?.body ?? [])).toEqual(bytes);
  });

  it('takes a stream of text', async () => {
    const platform = await openPlatform();
    await send(platform, { name: 'a.txt', data: Readable.from(['grün ', '🎲']) });
    expect(platform.storage.requests[0]?.body.toString()).toBe('grün 🎲');
  });

  it('takes an empty file', async () => {
    const platform = await openPlatform();
    await send(platform, { name: 'empty.txt', data: new Uint8Array() });
    expect(platform.storage.requests[0]?.headers['content-length']).toBe('0');
  });

  it('posts a form when the session has fields', async () => {
    const platform = await openPlatform({ fields: { key: 'k1' } });
    await send(platform, { name: 'a.png', data: bytes });
    const [request] = platform.storage.requests;
    const form = await new Response(new Uint8Array(request?.body ?? []), {
      headers: { 'content-type': request?.headers['content-type'] ?? '' },
    }).formData();
    expect([...form.keys()]).toEqual(['key', 'file']);
    const file = form.get('file') as File;
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
  });

  it('keeps the order of many files, after those that were uploaded before', async () => {
    // The first answer comes last.
    let release: (() => void) | undefined;
    const platform = await openPlatform({
      upload: (index) => {
        if (index > 0) {
          if (index === 5) release?.();
          return {};
        }
        return new Promise<Answer>((resolve) => (release = () => resolve({})));
      },
    });
    const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, data: Buffer.from(name) }));
    const attachments = [{ objectKey: 'known' }];
    await platform.rest.messages.send(CHANNEL, { content: 'x', attachments, files });
    const message = platform.server.requests.at(-1)?.json as {
      readonly attachments: readonly { readonly fileName?: string }[];
    };
    const sentNames = message.attachments.map(({ fileName }) => fileName);
    expect(sentNames).toEqual([undefined, 'a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('sends the same bytes again after a fault', async () => {
    const clock = createWatchedClock({ stepping: true });
    const platform = await openPlatform({
      upload: (index) => (index === 0 ? 'reset' : {}),
      client: { clock },
    });
    await send(platform, Readable.from([bytes]));
    expect(platform.storage.requests.map(({ body }) => new Uint8Array(body))).toEqual([
      bytes,
      bytes,
    ]);
    expect(names(platform)).toEqual(['upload-session', 'messages']);
  });

  it.each([403, 410])('opens another session once when the storage answers %i', async (status) => {
    const platform = await openPlatform({ upload: (index) => (index === 0 ? { status } : {}) });
    await send(platform, bytes);
    expect(names(platform)).toEqual(['upload-session', 'upload-session', 'messages']);
    expect(platform.server.requests[2]?.json).toMatchObject({
      attachments: [{ objectKey: 'key-1' }],
    });
  });

  it('does not open a third one', async () => {
    const platform = await openPlatform({ upload: () => ({ status: 403 }) });
    const error = await errorOf(send(platform, bytes));
    expect(isUploadFailed(error)).toBe(true);
    expect(error.details).toMatchObject({
      endpoint: 'attachments.upload',
      field: 'files[0]',
      fileName: 'file-1',
      reason: 'E_API_REFUSED',
    });
    expect(error.cause).toMatchObject({ code: 'E_API_REFUSED', details: { status: 403 } });
    expect(names(platform)).toEqual(['upload-session', 'upload-session']);
  });

  it('leaves it to the storage when a session is over', async () => {
    const clock = createWatchedClock({ stepping: true });
    const platform = await openPlatform({
      upload: (index) =>
        [{ status: 503, headers: { 'retry-after': '60' } }, { status: 403 }][index] ?? {},
      expiresAt: () => '2001-01-01T00:00:00Z',
      client: { clock },
    });
    await send(platform, bytes);
    expect(names(platform)).toEqual(['upload-session', 'upload-session', 'messages']);
    expect(platform.storage.requests.map(({ path }) => path.slice(0, 9))).toEqual([
      '/bucket/0',
      '/bucket/0',
      '/bucket/1',
    ]);
  });

  it.each<[string, StorageOptions, string]>([
    ['is refused', { upload: () => ({ status: 400 }) }, 'E_API_REFUSED'],
    ['is reset three times', { upload: () => 'reset' }, 'E_OUTCOME_UNKNOWN'],
    ['gets no session', { session: () => ({ status: 403 }) }, 'E_API_REFUSED'],
    ['gets a session that cannot be read', { session: () => ({ text: '?' }) }, 'E_BAD_RESPONSE'],
  ])('sends no message when a file %s', async (_name, options, reason) => {
    const clock = createWatchedClock({ stepping: true });
    const platform = await openPlatform({ ...options, client: { clock } });
    const error = await errorOf(send(platform, { name: 'a.png', data: bytes }));
    expect(error.code).toBe('E_UPLOAD_FAILED');
    expect(error.details['reason']).toBe(reason);
    expect(error.message).toContain('a.png (files[0])');
    expect(JSON.stringify([error.message, error.details])).not.toContain('s3cret');
    expect(names(platform)).not.toContain('messages');
  });

  it('says which field of a file the platform refused, and why', async () => {
    const json = readFixture('error-validation');
    const platform = await openPlatform({ session: () => ({ status: 400, json }) });
    const error = await errorOf(send(platform, { name: 'a.png', data: bytes }));
    expect(error.message).toBe(
      'a.png (files[0]) was not uploaded (attachments.openUpload: E_API_REFUSED, field content: Message content must be 1 to 2000 characters.), so no message was sent.',
    );
  });

  it('aborts the others when one fails', async () => {
    const platform = await openPlatform({
      upload: (_index, { body }) => (body.toString() === 'bad' ? { status: 400 } : 'stall'),
    });
    const error = await errorOf(send(platform, Buffer.from('good'), Buffer.from('bad')));
    expect(error.details['field']).toBe('files[1]');
  });

  it('ends at once when its signal is aborted during an upload', async () => {
    const platform = await openPlatform({ upload: () => 'stall' });
    const controller = new AbortController();
    const call = errorOf(
      platform.rest.messages.send(
        CHANNEL,
        { content: 'x', files: [bytes] },
        { signal: controller.signal },
      ),
    );
    await eventually(() => expect(platform.storage.requests).toHaveLength(1));
    controller.abort(new Error('enough'));
    const error = await call;
    expect(error.code).toBe('E_ABORTED');
    expect(error.cause).toEqual(new Error('enough'));
    expect(names(platform)).toEqual(['upload-session']);
  });

  it('is aborted when it makes no progress for 60 s', async () => {
    const clock = createWatchedClock();
    let isReached = false;
    // Takes connections and reads nothing.
    const deaf = createServer((socket) => void socket.once('readable', () => (isReached = true)));
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void deaf.close());
    const { port } = deaf.address() as AddressInfo;
    const session = { ...Object(readFixture('upload-session')), fields: {} };
    const platform = await openPlatform({
      session: () => ({ json: { ...session, uploadUrl: `http://127.0.0.1:${port}` } }),
      client: { clock },
    });
    const call = errorOf(send(platform, new Uint8Array(64 * 1024 * 1024)));
    await eventually(() => expect(isReached).toBe(true));
    await clock.advance(60_000);
    const error = await call;
    expect(error.details['reason']).toBe('E_TIMEOUT');
    expect(error.cause).toMatchObject({ details: { phase: 'headers', maybeSent: true } });
    expect(names(platform)).toEqual(['upload-session']);
    expect(clock.pending).toBe(0);
  });

  it('may take ten times as long as another call', async () => {
    const clock = createWatchedClock();
    const platform = await openPlatform({
      upload: () => 'stall',
      client: { clock, deadlineMs: 1_000 },
    });
    const call = errorOf(send(platform, bytes));
    await eventually(() => expect(platform.storage.requests).toHaveLength(1));
    await clock.advance(9_999);
    expect(clock.pending).toBeGreaterThan(0);
    await clock.advance(1);
    expect((await call).details['reason']).toBe('E_TIMEOUT');
  });
});

describe('a file that cannot be sent', () => {
  it.each<[string, (folder: string) => FileInput, string]>([
    ['is missing', (folder) => join(folder, 'none.png'), 'ENOENT'],
    ['is a folder', (folder) => folder, 'which is not a file'],
    ['is a number', () => 7 as unknown as FileInput, 'number'],
    ['is nothing', () => null as unknown as FileInput, 'null'],
    ['has no data', () => ({ name: 'a', data: undefined }) as unknown as FileInput, 'undefined'],
    [
      'breaks while it is read',
      () =>
        new Readable({
          read() {
            this.destroy(new Error('the disk is gone'));
          },
        }),
      'the disk is gone',
    ],
  ])('%s: refused before anything is sent', async (_name, make, seen) => {
    const platform = await openPlatform();
    const error = await errorOf(send(platform, bytes, make(temporaryFolder())));
    expect(isInvalidCall(error)).toBe(true);
    expect(error.details).toMatchObject({ endpoint: 'messages.send', field: 'files[1]' });
    expect(error.details['seen']).toContain(seen);
    expect(platform.server.requests).toHaveLength(0);
  });

  it('is an address: the hint says how to send what is there', async () => {
    const platform = await openPlatform({ client: { filesRoot: temporaryFolder() } });
    const error = await errorOf(send(platform, 'https://example.com/cat.png'));
    expect(isInvalidCall(error)).toBe(true);
    expect(error.hint).toContain('(await fetch(url)).blob()');
  });

  it('is larger than the session takes: no byte of it is sent', async () => {
    const platform = await openPlatform({ maxBytes: 4 });
    const error = await errorOf(send(platform, bytes));
    expect(error.code).toBe('E_INVALID_CALL');
    expect(error.details).toMatchObject({
      field: 'files[0]',
      expected: 'a file of 4 bytes or less',
      seen: '5 bytes',
    });
    expect(platform.storage.requests).toHaveLength(0);
    expect(names(platform)).toEqual(['upload-session']);
  });

  it('is larger than a session takes that was opened by hand', async () => {
    const { rest, storage } = await openPlatform({ maxBytes: 4 });
    const described = { fileName: 'a', contentType: 'text/plain', size: 4 };
    const session = await rest.attachments.openUpload(CHANNEL, described);
    const error = await errorOf(rest.attachments.upload(session, { ...described, bytes }));
    expect(error.details).toMatchObject({ endpoint: 'attachments.upload', field: 'bytes' });
    expect(storage.requests).toHaveLength(0);
  });

  it.each([
    ['shorter', 3],
    ['longer', 9],
  ])('is %s by the time it is sent: no message', async (_name, sizeBytes) => {
    const path = join(temporaryFolder(), 'log.txt');
    writeFileSync(path, bytes);
    const platform = await openPlatform({
      session: () => {
        truncateSync(path, sizeBytes);
        return undefined;
      },
    });
    const error = await errorOf(send(platform, path));
    expect(error.code).toBe('E_INVALID_CALL');
    const expected = expect.stringContaining('does not change until it is sent');
    expect(error.details).toMatchObject({ field: 'files[0]', expected });
    expect(names(platform)).toEqual(['upload-session']);
  });

  it('is with a text that is too long: nothing is uploaded for it', async () => {
    const platform = await openPlatform();
    const content = 'x'.repeat(2_001);
    const error = await errorOf(platform.rest.messages.send(CHANNEL, { content, files: [bytes] }));
    expect(error.details['field']).toBe('content');
    expect(platform.server.requests).toHaveLength(0);
  });

  it('is no list of files', async () => {
    const platform = await openPlatform();
    const files = 'cat.png' as unknown as string[];
    const error = await errorOf(platform.rest.messages.send(CHANNEL, { content: 'x', files }));
    expect(error.details).toMatchObject({ field: 'files', seen: '"cat.png"' });
  });
});

describe('an answer to a command with files', () => {
  const withFiles = { files: [{ name: 'a.png', data: bytes }], channelId: CHANNEL };

  it.each(['respond', 'followUp'] as const)('interactions.%s uploads them first', async (name) => {
    const platform = await openPlatform();
    const { interactions } = platform.rest;
    const answer = await interactions[name](INTERACTION, withFiles);
    expect(answer.message()).toEqual(sent);
    expect(platform.storage.requests).toHaveLength(1);
    const [session, response] = platform.server.requests;
    expect(session?.path).toContain(`/channels/${CHANNEL}/`);
    expect(response?.path).toContain(`/interactions/${INTERACTION}/`);
    expect(response?.json).toEqual({
      content: null,
      attachments: [{ objectKey: 'key-0', fileName: 'a.png', contentType: 'image/png', size: 5 }],
    });
  });

  it('carries its text too', async () => {
    const platform = await openPlatform();
    await platform.rest.interactions.respond(INTERACTION, { ...withFiles, content: 'Look' });
    expect(platform.server.requests[1]?.json).toMatchObject({ content: 'Look' });
  });

  it('needs the channel it was asked in', async () => {
    const platform = await openPlatform();
    const body = { ...withFiles, channelId: undefined as unknown as string };
    const error = await errorOf(platform.rest.interactions.respond(INTERACTION, body));
    expect(error.details).toMatchObject({ endpoint: 'interactions.respond', field: 'channelId' });
    expect(platform.server.requests).toHaveLength(0);
  });

  it('is not created when a file does not arrive', async () => {
    const platform = await openPlatform({ upload: () => ({ status: 400 }) });
    const error = await errorOf(platform.rest.interactions.respond(INTERACTION, withFiles));
    expect(error.code).toBe('E_UPLOAD_FAILED');
    expect(names(platform)).toEqual(['upload-session']);
  });
});
