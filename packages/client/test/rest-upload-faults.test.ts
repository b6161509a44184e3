import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { VirguleError } from '@virgule/core/errors';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isUploadFailed, type FileInput, type Rest } from '@virgule/client/rest';
import { eventually } from './eventually.js';
import { bytes, names, openPlatform } from './file-platform.js';
import { startScriptedServer } from './scripted-server.js';
import { CHANNEL, INTERACTION, errorOf } from './test-rest.js';
import { createWatchedClock } from './watched-clock.js';

type Options = { readonly signal?: AbortSignal; readonly deadlineMs?: number };

const CALLS: Readonly<
  Record<string, (rest: Rest, file: FileInput, options: Options) => Promise<unknown>>
> = {
  'messages.send': (rest, file, options) =>
    rest.messages.send(CHANNEL, { content: 'Look', files: [file] }, options),
  'interactions.respond': (rest, file, options) =>
    rest.interactions.respond(INTERACTION, { channelId: CHANNEL, files: [file] }, options),
  'interactions.followUp': (rest, file, options) =>
    rest.interactions.followUp(INTERACTION, { channelId: CHANNEL, files: [file] }, options),
  'attachments.uploadAll': (rest, file, options) =>
    rest.attachments.uploadAll(CHANNEL, [file], options),
};

describe.each(Object.entries(CALLS))('%s with a stream that never ends', (_name, call) => {
  /** One piece, and then nothing: a download that stalled. */
  async function start(options: Options = {}) {
    const clock = createWatchedClock();
    const platform = await openPlatform({ client: { clock } });
    const stream = new Readable({ read() {} });
    stream.push('one piece');
    const ending = errorOf(call(platform.rest, { name: 'a.txt', data: stream }, options));
    await clock.advance(0);
    return { clock, platform, stream, ending };
  }

  it('ends at its deadline', async () => {
    const { clock, platform, stream, ending } = await start({ deadlineMs: 1_000 });
    await clock.advance(1_000);
    const error = await ending;
    expect(isUploadFailed(error)).toBe(true);
    expect(error.details).toMatchObject({
      fileName: 'a.txt',
      field: 'files[0]',
      reason: 'E_TIMEOUT',
    });
    expect(error.cause).toMatchObject({ details: { phase: 'waiting', maybeSent: false } });
    await eventually(() => expect(stream.destroyed).toBe(true));
    expect(platform.server.requests).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('ends when its signal is aborted', async () => {
    const controller = new AbortController();
    const { clock, stream, ending } = await start({ signal: controller.signal });
    controller.abort(new Error('enough'));
    expect(await ending).toMatchObject({ code: 'E_ABORTED', cause: new Error('enough') });
    await eventually(() => expect(stream.destroyed).toBe(true));
    expect(clock.pending).toBe(0);
  });

  it('ends when the client is closed', async () => {
    const { clock, platform, stream, ending } = await start();
    await platform.rest.close();
    expect((await ending).code).toBe('E_SHUTTING_DOWN');
    await eventually(() => expect(stream.destroyed).toBe(true));
    expect(clock.pending).toBe(0);
  });
});

/** Sessions that lead to a dead storage first and, after so many, to one that answers. */
async function openStorages(
  dead: number,
  alive: (index: number, after: (ms: number) => Promise<object>) => object | Promise<object>,
) {
  const clock = createWatchedClock();
  const after = (ms: number): Promise<object> => clock.sleep(ms).then(() => ({}));
  const deaf = await startScriptedServer(() => 'stall');
  let sessions = 0;
  const platform = await openPlatform({
    client: { clock },
    upload: async (index) => alive(index, after),
    session: (index) => {
      sessions += 1;
      return index < dead
        ? {
            json: {
              uploadUrl: `${deaf.url}/${index}`,
              objectKey: `key-${index}`,
              publicUrl: '',
              fields: {},
              expiresAt: '2099-01-01T00:00:00Z',
              maxBytes: 1_000_000,
            },
          }
        : undefined;
    },
  });
  const send = (options: object = {}): Promise<unknown> =>
    platform.rest.messages.send(CHANNEL, { content: 'Look', files: [bytes] }, options);
  return { clock, deaf, platform, send, sessions: () => sessions };
}

describe('a storage that takes a file and never answers', () => {
  it('costs a minute and not the whole deadline', async () => {
    const { clock, deaf, platform, send } = await openStorages(1, () => ({}));
    const ending = errorOf(send());
    await eventually(() => expect(deaf.requests).toHaveLength(1));
    await clock.advance(62_000);
    const error = await ending;
    expect(error.code).toBe('E_UPLOAD_FAILED');
    expect(error.details['reason']).toBe('E_TIMEOUT');
    expect(names(platform)).toEqual(['upload-session']);
    expect(clock.pending).toBe(0);
  });

  it('leaves no doubt about the message when the upload is aborted', async () => {
    const { deaf, platform, send } = await openStorages(1, () => ({}));
    const controller = new AbortController();
    const ending = errorOf(send({ signal: controller.signal }));
    await eventually(() => expect(deaf.requests).toHaveLength(1));
    controller.abort(new Error('enough'));
    const error = await ending;
    expect(error).toMatchObject({ code: 'E_ABORTED', cause: new Error('enough') });
    expect(error.details).toMatchObject({ maybeSent: false });
    expect(error.hint).toBeUndefined();
    expect(names(platform)).toEqual(['upload-session']);
  });

  it('does not hold up files for another storage', async () => {
    const { clock, deaf, send } = await openStorages(5, () => ({}));
    const dead = Array.from({ length: 5 }, () => errorOf(send()));
    await eventually(() => expect(deaf.requests).toHaveLength(4));
    await expect(send()).resolves.toBeDefined();
    // The fifth had to wait for the four, inside its own deadline.
    await clock.advance(62_000);
    await eventually(() => expect(deaf.requests).toHaveLength(5));
    await clock.advance(62_000);
    const codes = (await Promise.all(dead)).map(({ code, details }) => [code, details['reason']]);
    expect(codes).toEqual(Array(5).fill(['E_UPLOAD_FAILED', 'E_TIMEOUT']));
  });
});

describe('a storage that takes no more pieces', () => {
  it('ends an upload a minute after the last one, and is a fault of the storage', async () => {
    const clock = createWatchedClock();
    const open = new Set<Socket>();
    // It reads nothing: what is sent stays in the buffers of the sockets.
    const full = createServer({ pauseOnConnect: true }, (socket) => void open.add(socket));
    await new Promise<void>((resolve) => full.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const socket of open) socket.destroy();
      full.close();
    });
    const { port } = full.address() as AddressInfo;
    const { rest } = await openPlatform({ client: { clock } });
    const session = {
      uploadUrl: `http://127.0.0.1:${port}/x`,
      objectKey: 'key',
      publicUrl: '',
      fields: {},
      expiresAt: '2099-01-01T00:00:00Z',
      maxBytes: 1e9,
    };
    const file = { fileName: 'a.bin', contentType: 'a/b', bytes: new Uint8Array(32 * 1024 * 1024) };
    const startMs = clock.now();
    let error: VirguleError | undefined;
    void errorOf(rest.attachments.upload(session, file, { deadlineMs: 86_400_000 })).then(
      (ended) => (error = ended),
    );
    await eventually(() => expect(open.size).toBe(1));
    await eventually(async () => {
      await clock.advance(61_000);
      expect(error).toBeDefined();
    });
    expect(error).toMatchObject({ code: 'E_TIMEOUT', details: { phase: 'headers', attempts: 1 } });
    expect(clock.now() - startMs).toBeLessThan(3_600_000);
    expect(rest.limits().origins).toContainEqual(
      expect.objectContaining({ origin: `http://127.0.0.1:${port}`, faults: 1 }),
    );
  });
});

describe('a slow line', () => {
  it('has more than a minute for the end of a large file, which may still be in its buffers', async () => {
    const { clock, platform } = await openStorages(0, (_index, after) => after(80_000));
    const { rest, storage } = platform;
    const data = new Uint8Array(900_000);
    const uploaded = rest.attachments.uploadAll(CHANNEL, [{ name: 'a.bin', data }]);
    await eventually(() => expect(storage.requests).toHaveLength(1));
    await clock.advance(80_000);
    await expect(uploaded).resolves.toHaveLength(1);
    expect(storage.requests).toHaveLength(1);
  });
});

describe('files that wait for a busy storage', () => {
  /** Four uploads that last until they are released. */
  async function busy() {
    let release = (): void => {};
    const released = new Promise<object>((resolve) => (release = () => resolve({})));
    const opened = await openStorages(0, (index) => (index < 4 ? released : {}));
    const first = Array.from({ length: 4 }, () => opened.send());
    await eventually(() => expect(opened.platform.storage.requests).toHaveLength(4));
    return { ...opened, first, release: () => release() };
  }

  it('wait as long as their own deadline', async () => {
    const { clock, platform, send } = await openStorages(0, (_index, after) => after(50_000));
    const { storage } = platform;
    let sent = 0;
    const calls = Array.from({ length: 9 }, () => send().then(() => (sent += 1)));
    for (const [uploaded, before] of [
      [4, 0],
      [8, 4],
      [9, 8],
    ] as const) {
      await eventually(() => expect([storage.requests.length, sent]).toEqual([uploaded, before]));
      await clock.advance(50_000);
    }
    // The last had waited for 100 s.
    await expect(Promise.all(calls)).resolves.toHaveLength(9);
  });

  it('say which file it was when that is over', async () => {
    const { clock, platform, first, release, send } = await busy();
    const late = errorOf(send({ deadlineMs: 5_000 }));
    await eventually(() => expect(platform.rest.limits().queued.awaited).toBe(1));
    await clock.advance(5_000);
    expect(await late).toMatchObject({ code: 'E_UPLOAD_FAILED', details: { reason: 'E_TIMEOUT' } });
    release();
    await Promise.all(first);
  });

  it('go in the order of their classes, those of answers to commands first', async () => {
    const { platform, first, release, send, sessions } = await busy();
    const { storage, rest } = platform;
    const later = [
      send({ priority: 'background' }),
      send(),
      rest.interactions.respond(INTERACTION, { channelId: CHANNEL, files: [bytes] }),
    ];
    await eventually(() => expect(sessions()).toBe(7));
    await eventually(() =>
      expect(rest.limits().queued).toEqual({ interaction: 1, awaited: 1, background: 1 }),
    );
    const sessionPaths = platform.server.requests.map(({ path }) => path);
    expect(sessionPaths).toHaveLength(7);
    release();
    await Promise.all([...first, ...later]);
    // Sessions were opened in the order of the calls: 4 background, 5 awaited, 6 for the answer.
    expect(storage.requests.slice(4).map(({ path }) => path.slice(8, 9))).toEqual(['6', '5', '4']);
  });
});

describe('what keeps a file from being uploaded', () => {
  it.each([
    ['a rate limit', { status: 429, headers: { 'retry-after': '900' } }, 'E_RATE_LIMITED'],
    [
      'an address that is none',
      {
        json: {
          uploadUrl: 's3://bucket/key?signature=s3cret',
          objectKey: 'k',
          publicUrl: '',
          fields: {},
          expiresAt: '2099-01-01T00:00:00Z',
          maxBytes: 1_000,
        },
      },
      'E_BAD_ADDRESS',
    ],
  ])('is reported with the file: %s', async (_name, session, reason) => {
    const platform = await openPlatform({ session: () => session });
    const call = platform.rest.messages.send(CHANNEL, { content: 'x', files: [bytes] });
    const error = await errorOf(call);
    expect(error).toMatchObject({
      code: 'E_UPLOAD_FAILED',
      details: { reason, field: 'files[0]' },
    });
    expect(String(error.cause)).not.toContain('s3cret');
    expect(names(platform)).toEqual(['upload-session']);
  });
});
