import {
  attachmentAccessUrlSchema,
  messageSchema,
  UPLOAD_LIFETIME_MS,
  type Message,
} from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { openPlatform, refusalOf, type Platform } from './open-platform.js';
import { multipart, openSession, sendFile, startSlowPut, uploadFile } from './upload-file.js';

/** All byte values, with line ends and a string like a boundary. */
const BYTES = Buffer.concat([
  Buffer.from(Array.from({ length: 256 }, (_, value) => value)),
  Buffer.from('\r\n--not-the-boundary--\r\n'),
]);

async function sendWith(platform: Platform, ...objectKeys: string[]): Promise<Message> {
  const reply = await platform.call(
    'messages.send',
    { channelId: platform.channelId('general') },
    {
      body: { content: 'Files', attachments: objectKeys.map((objectKey) => ({ objectKey })) },
    },
  );
  return messageSchema.parse(reply.body);
}

async function accessUrl(platform: Platform, message: Message): Promise<string> {
  const reply = await platform.call('attachments.accessUrl', {
    channelId: message.channelId,
    messageId: message.id,
    attachmentId: message.attachments[0]?.id ?? '',
  });
  return attachmentAccessUrlSchema.parse(reply.body).url;
}

describe('uploads', () => {
  it('keeps a file byte for byte from upload to download', async () => {
    const platform = await openPlatform();
    const session = await openSession(platform, {
      fileName: 'dice.png',
      contentType: 'image/png',
      bytes: BYTES,
    });
    expect(session).toMatchObject({
      maxBytes: 25 * 1024 * 1024,
      expiresAt: '2026-01-01T00:15:00.000Z',
      fields: { key: session.objectKey },
    });
    expect((await sendFile(platform, session, BYTES)).status).toBe(200);
    const message = await sendWith(platform, session.objectKey);
    expect(message.attachments).toEqual([
      {
        id: expect.any(String),
        fileName: 'dice.png',
        contentType: 'image/png',
        size: BYTES.length,
      },
    ]);
    const url = await accessUrl(platform, message);
    expect((await platform.send('GET', url)).bytes.equals(BYTES)).toBe(true);
    expect((await platform.send('GET', session.publicUrl)).bytes.equals(BYTES)).toBe(true);
    const pageUrl = platform.simulator.messages().at(-1)?.attachments[0]?.url ?? '';
    expect((await platform.send('GET', pageUrl)).bytes.equals(BYTES)).toBe(true);
  });

  it('keeps an empty file', async () => {
    const platform = await openPlatform();
    const key = await uploadFile(platform, { bytes: Buffer.alloc(0) });
    const message = await sendWith(platform, key);
    expect(message.attachments[0]?.size).toBe(0);
    expect((await platform.send('GET', await accessUrl(platform, message))).bytes).toHaveLength(0);
  });

  it('serves downloads so that no browser runs them', async () => {
    const platform = await openPlatform();
    const key = await uploadFile(platform, {
      fileName: `évil' "page".html`,
      contentType: 'text/html',
      bytes: Buffer.from('<script>alert(1)</script>'),
    });
    const message = await sendWith(platform, key);
    const { headers } = await platform.send('GET', await accessUrl(platform, message));
    expect(headers).toMatchObject({
      'content-type': 'text/html',
      'content-disposition': `attachment; filename*=UTF-8''%C3%A9vil%27%20%22page%22.html`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
  });

  it('sends no content type that could break the header', async () => {
    const platform = await openPlatform();
    const key = await uploadFile(platform, { contentType: 'text/plain\r\nset-cookie: a=b' });
    const { headers } = await platform.send(
      'GET',
      await accessUrl(platform, await sendWith(platform, key)),
    );
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('accepts PUT of the bytes if set in the profile', async () => {
    const platform = await openPlatform({ profile: { uploadMethod: 'PUT' } });
    const session = await openSession(platform, { bytes: BYTES });
    expect(session.fields).toEqual({});
    const post = await platform.send('POST', session.uploadUrl, multipart({}, [BYTES]));
    expect(refusalOf(post)).toEqual({ status: 405, code: 'sim_method_not_allowed' });
    expect((await platform.send('PUT', session.uploadUrl, { body: BYTES })).status).toBe(200);
    const url = await accessUrl(platform, await sendWith(platform, session.objectKey));
    expect((await platform.send('GET', url)).bytes.equals(BYTES)).toBe(true);
  });

  it('refuses a form without the fields of the session, without a file, or with two', async () => {
    const platform = await openPlatform();
    const session = await openSession(platform);
    const upload = (form: ReturnType<typeof multipart>) =>
      platform.send('POST', session.uploadUrl, form);
    const file = Buffer.from('x');
    expect(refusalOf(await upload(multipart({}, [file])))).toMatchObject({ status: 403 });
    expect(
      refusalOf(await upload(multipart({ ...session.fields, signature: 'guess' }, [file]))),
    ).toMatchObject({ status: 403 });
    const bad = { status: 400, code: 'sim_bad_upload' };
    expect(refusalOf(await upload(multipart(session.fields, [])))).toEqual(bad);
    expect(refusalOf(await upload(multipart(session.fields, [file, file])))).toEqual(bad);
    expect(refusalOf(await platform.send('POST', session.uploadUrl, { body: 'x' }))).toEqual(bad);
    expect(refusalOf(await platform.send('PUT', session.uploadUrl, { body: 'x' }))).toEqual({
      status: 405,
      code: 'sim_method_not_allowed',
    });
  });

  it('refuses more bytes than maxBytes, whatever size was declared', async () => {
    const platform = await openPlatform({ profile: { uploadMaxBytes: 1_000 } });
    const session = await openSession(platform);
    expect(session.maxBytes).toBe(1_000);
    const large = { status: 413, code: 'bot_payload_too_large' };
    expect(refusalOf(await sendFile(platform, session, Buffer.alloc(1_001)))).toEqual(large);
    expect(refusalOf(await sendFile(platform, session, Buffer.alloc(100_000)))).toEqual(large);
    expect((await sendFile(platform, session, Buffer.alloc(1_000))).status).toBe(200);
  });

  it('forgets a session that was not used in its time', async () => {
    const platform = await openPlatform();
    const session = await openSession(platform);
    const key = await uploadFile(platform);
    await platform.clock.advance(UPLOAD_LIFETIME_MS);
    expect(refusalOf(await sendFile(platform, session, BYTES))).toEqual({
      status: 410,
      code: 'sim_upload_expired',
    });
    const reply = await platform.call(
      'messages.send',
      { channelId: platform.channelId('general') },
      { body: { content: 'Late', attachments: [{ objectKey: key }] } },
    );
    expect(refusalOf(reply)).toMatchObject({ field: 'attachments' });
  });

  it('takes no bytes that came to their end after the session did', async () => {
    const platform = await openPlatform({ profile: { uploadMethod: 'PUT' } });
    const session = await openSession(platform, { bytes: Buffer.from('slow') });
    const sending = await startSlowPut(session.uploadUrl, 'sl');
    await platform.clock.advance(UPLOAD_LIFETIME_MS);
    expect(await sending.end('ow')).toBe(410);
    const { body } = await platform.send('GET', '/_sim/state');
    expect(body).toMatchObject({ uploads: 0 });
  });

  it('does not change the file of a message when an upload is still in progress', async () => {
    const platform = await openPlatform({ profile: { uploadMethod: 'PUT' } });
    const session = await openSession(platform, { bytes: Buffer.from('first') });
    const sending = await startSlowPut(session.uploadUrl, 'sec');
    expect((await platform.send('PUT', session.uploadUrl, { body: 'first' })).status).toBe(200);
    const message = await sendWith(platform, session.objectKey);
    expect(await sending.end('ond')).toBe(410);
    expect((await platform.send('GET', await accessUrl(platform, message))).text).toBe('first');
    const again = await platform.call(
      'messages.send',
      { channelId: platform.channelId('general') },
      { body: { content: 'Again', attachments: [{ objectKey: session.objectKey }] } },
    );
    expect(refusalOf(again)).toMatchObject({ status: 400, field: 'attachments' });
  });

  it('keeps the file of a message after the session has ended', async () => {
    const platform = await openPlatform();
    const message = await sendWith(platform, await uploadFile(platform, { bytes: BYTES }));
    expect(platform.clock.pending).toBe(0);
    await platform.clock.advance(2 * UPLOAD_LIFETIME_MS);
    const url = await accessUrl(platform, message);
    expect((await platform.send('GET', url)).bytes.equals(BYTES)).toBe(true);
  });

  it('returns signed download URLs that expire soon', async () => {
    const platform = await openPlatform();
    const message = await sendWith(platform, await uploadFile(platform));
    const url = await accessUrl(platform, message);
    const other = url.replace(/signature=./, 'signature=z');
    expect(refusalOf(await platform.send('GET', other))).toMatchObject({ status: 403 });
    const longer = url.replace(/expires=\d+/, 'expires=99999999999999');
    expect(refusalOf(await platform.send('GET', longer))).toMatchObject({ status: 403 });
    await platform.clock.advance(UPLOAD_LIFETIME_MS);
    expect(refusalOf(await platform.send('GET', url))).toEqual({
      status: 410,
      code: 'sim_address_expired',
    });
  });

  it('takes a key once, in its own channel, and only after the upload', async () => {
    const platform = await openPlatform();
    const refused = { status: 400, code: 'bot_validation_error', field: 'attachments' };
    const send = (channel: string, ...objectKeys: string[]) =>
      platform.call(
        'messages.send',
        { channelId: platform.channelId(channel) },
        { body: { content: 'x', attachments: objectKeys.map((objectKey) => ({ objectKey })) } },
      );
    const { objectKey: empty } = await openSession(platform);
    expect(refusalOf(await send('general', empty))).toEqual(refused);
    const key = await uploadFile(platform);
    expect(refusalOf(await send('bot-spam', key))).toEqual(refused);
    expect(refusalOf(await send('general', key, key))).toEqual(refused);
    expect((await send('general', key)).status).toBe(200);
    expect(refusalOf(await send('general', key))).toEqual(refused);
  });

  it('carries no more files than the profile allows', async () => {
    const platform = await openPlatform({ profile: { attachmentsMax: 1 } });
    const keys = [await uploadFile(platform), await uploadFile(platform)];
    const reply = await platform.call(
      'messages.send',
      { channelId: platform.channelId('general') },
      { body: { content: 'x', attachments: keys.map((objectKey) => ({ objectKey })) } },
    );
    expect(refusalOf(reply)).toMatchObject({ field: 'attachments' });
  });

  it.each(['fileName', 'contentType'])('keeps 255 characters of %s at most', async (field) => {
    const platform = await openPlatform();
    const channelId = platform.channelId('general');
    const open = (length: number) =>
      platform.call(
        'attachments.openUpload',
        { channelId },
        { body: { fileName: 'a', contentType: 'b', size: 1, [field]: 'x'.repeat(length) } },
      );
    expect((await open(255)).status).toBe(200);
    const refused = { status: 400, code: 'bot_validation_error', field };
    expect(refusalOf(await open(256))).toEqual(refused);
    const draft = { objectKey: await uploadFile(platform), [field]: 'x'.repeat(256) };
    const body = { content: 'x', attachments: [draft] };
    expect(refusalOf(await platform.call('messages.send', { channelId }, { body }))).toEqual(
      refused,
    );
  });

  it('drops the file with its message', async () => {
    const platform = await openPlatform();
    const message = await sendWith(platform, await uploadFile(platform));
    const url = await accessUrl(platform, message);
    await platform.call('messages.delete', {
      channelId: message.channelId,
      messageId: message.id,
    });
    expect(refusalOf(await platform.send('GET', url))).toMatchObject({ status: 404 });
  });

  it('keeps no more than 1,000 sessions open', async () => {
    const platform = await openPlatform();
    const open = () =>
      platform.call(
        'attachments.openUpload',
        { channelId: platform.channelId('general') },
        { body: { fileName: 'a', contentType: 'text/plain', size: 1 } },
      );
    await Promise.all(Array.from({ length: 1_000 }, open));
    expect(refusalOf(await open())).toEqual({ status: 507, code: 'sim_storage_full' });
    await platform.clock.advance(UPLOAD_LIFETIME_MS);
    expect((await open()).status).toBe(200);
  });
});

describe('the addresses of files', () => {
  it('accept the supported methods, and list them for others', async () => {
    const platform = await openPlatform();
    const { uploadUrl } = await openSession(platform);
    const reply = await platform.send('DELETE', uploadUrl);
    expect(refusalOf(reply)).toEqual({ status: 405, code: 'sim_method_not_allowed' });
    expect(reply.body).toMatchObject({
      message: expect.stringMatching(/ supports only POST, PUT, GET\.$/),
    });
    const none = await platform.send('GET', '/_files/elsewhere');
    expect(refusalOf(none)).toEqual({ status: 404, code: 'bot_not_found' });
  });

  it('know no emoji by an unknown id', async () => {
    const platform = await openPlatform();
    const reply = await platform.send('GET', '/_files/emojis/nope');
    expect(refusalOf(reply)).toEqual({ status: 404, code: 'bot_not_found' });
    expect(reply.body).toMatchObject({ details: { resource: 'emoji', id: 'nope' } });
  });
});
