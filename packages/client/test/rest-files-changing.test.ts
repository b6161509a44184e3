import { openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { isUploadFailed } from '@virgule/client/rest';
import { eventually } from './eventually.js';
import { bytes, names, openPlatform, send } from './file-platform.js';
import { temporaryFolder } from './temporary-folder.js';
import { createWatchedClock } from './watched-clock.js';
import { CHANNEL, errorOf } from './test-rest.js';

const MIB = 1024 * 1024;
const UNCHANGED = 'a file that can be read, and does not change until it is sent';

describe('a file that cannot be sent', () => {
  it('is gone by the time it is sent: no message', async () => {
    const path = join(temporaryFolder(), 'log.txt');
    writeFileSync(path, bytes);
    const platform = await openPlatform({
      session: () => {
        rmSync(path);
        return undefined;
      },
    });
    const error = await errorOf(send(platform, path));
    expect(error.code).toBe('E_INVALID_CALL');
    expect(error.details).toMatchObject({ field: 'files[0]', expected: UNCHANGED });
    expect(error.cause).toMatchObject({ name: 'NotReadableError' });
    expect(names(platform)).toEqual(['upload-session']);
  });

  // Root may read everything.
  it.skipIf(process.getuid?.() === 0)('may not be read: nothing is sent', async () => {
    const path = join(temporaryFolder(), 'secret.txt');
    writeFileSync(path, bytes, { mode: 0o200 });
    const platform = await openPlatform();
    const error = await errorOf(send(platform, path));
    expect(error.code).toBe('E_INVALID_CALL');
    expect(error.details).toMatchObject({
      field: 'files[0]',
      expected: 'a file that can be read',
      seen: `${JSON.stringify(path)} (EACCES)`,
    });
    expect(platform.server.requests).toHaveLength(0);
  });

  it('is a Blob that can no longer be read: no message', async () => {
    const path = join(temporaryFolder(), 'log.txt');
    writeFileSync(path, bytes);
    const blob = await openAsBlob(path);
    writeFileSync(path, 'x');
    const platform = await openPlatform();
    const error = await errorOf(send(platform, blob));
    expect(error.code).toBe('E_INVALID_CALL');
    expect(error.details).toMatchObject({ field: 'files[0]', expected: UNCHANGED });
    expect(names(platform)).toEqual(['upload-session']);
  });

  it('is one of several: no stream of the others is read on', async () => {
    const platform = await openPlatform();
    const endless = new Readable({ read() {} });
    const error = await errorOf(send(platform, join(temporaryFolder(), 'missing'), endless));
    expect(error.details).toMatchObject({ field: 'files[0]' });
    await eventually(() => expect(endless.destroyed).toBe(true));
  });

  it('is a stream of more than 64 MiB: it is read no further, and nothing is sent', async () => {
    const piece = new Uint8Array(MIB);
    let read = 0;
    let isLetGo = false;
    async function* endless() {
      try {
        for (;;) {
          read += 1;
          yield piece;
        }
      } finally {
        isLetGo = true;
      }
    }
    const platform = await openPlatform();
    const error = await errorOf(send(platform, { name: 'a', data: endless() }));
    expect(error.code).toBe('E_INVALID_CALL');
    expect(error.details).toMatchObject({
      field: 'files[0]',
      expected: expect.stringContaining('pass a larger file by its path'),
      seen: `${65 * MIB} bytes or more`,
    });
    expect([read, isLetGo]).toEqual([65, true]);
    expect(platform.server.requests).toHaveLength(0);
  });
});

describe('a stream', () => {
  it.each([
    ['objects', { a: 1 }],
    ['numbers', 7],
    ['nothing', null],
    ['ArrayBuffers', new ArrayBuffer(4)],
  ])('of %s is refused at its first piece: it is neither text nor bytes', async (_name, piece) => {
    let read = 0;
    async function* pieces() {
      for (; read < 10; read += 1) yield piece;
    }
    const platform = await openPlatform();
    // Value that plain JavaScript can pass, against the types.
    const data = pieces() as AsyncIterable<unknown> as AsyncIterable<Uint8Array>;
    const error = await errorOf(send(platform, bytes, data));
    expect(error.code).toBe('E_INVALID_CALL');
    expect(error.details).toMatchObject({
      field: 'files[1]',
      expected: 'a stream that can be read',
      seen: expect.stringContaining('a piece that is neither text nor bytes'),
    });
    expect(read).toBe(0);
    expect(platform.server.requests).toHaveLength(0);
  });
});

describe('messages.send with files', () => {
  it('sends nothing when its signal is aborted while a stream is read', async () => {
    const platform = await openPlatform();
    const controller = new AbortController();
    async function* stream() {
      yield bytes;
      controller.abort(new Error('enough'));
    }
    const error = await errorOf(
      platform.rest.messages.send(
        CHANNEL,
        { content: 'x', files: [{ name: 'a', data: stream() }] },
        { signal: controller.signal },
      ),
    );
    expect(error.code).toBe('E_ABORTED');
    expect(error.cause).toEqual(new Error('enough'));
    expect(platform.server.requests).toHaveLength(0);
  });

  it('does not take a refusal of the second try for the success of the first', async () => {
    const clock = createWatchedClock({ stepping: true });
    const platform = await openPlatform({
      upload: (index) => (index === 0 ? 'reset' : { status: 409 }),
      client: { clock },
    });
    const error = await errorOf(send(platform, bytes));
    expect(isUploadFailed(error)).toBe(true);
    expect(error.cause).toMatchObject({ code: 'E_API_REFUSED', details: { status: 409 } });
    expect(names(platform)).toEqual(['upload-session']);
  });
});

describe('attachments.upload', () => {
  it('sends nothing when its signal was aborted before', async () => {
    const { rest, storage } = await openPlatform();
    const described = { fileName: 'a', contentType: 'text/plain', size: bytes.byteLength };
    const session = await rest.attachments.openUpload(CHANNEL, described);
    const signal = AbortSignal.abort(new Error('enough'));
    const error = await errorOf(
      rest.attachments.upload(session, { ...described, bytes }, { signal }),
    );
    expect(error.code).toBe('E_ABORTED');
    expect(error.cause).toEqual(new Error('enough'));
    expect(storage.requests).toHaveLength(0);
  });
});
