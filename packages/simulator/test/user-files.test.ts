import type { SimMessage, SimUpload } from '@virgule/core/simulator-api';
import { describe, expect, it } from 'vitest';
import { openPlatform, refusalOf, type Platform, type Reply } from './open-platform.js';

const CAT = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);

interface UserUpload {
  readonly fileName?: string;
  readonly contentType?: string;
  readonly bytes?: Buffer;
  readonly as?: string;
  readonly channel?: string;
}

function upload(platform: Platform, file: UserUpload = {}): Promise<Reply> {
  return platform.act('attach', {
    name: file.fileName ?? 'cat.png',
    base64: (file.bytes ?? CAT).toString('base64'),
    contentType: file.contentType ?? 'image/png',
    channel: file.channel ?? 'general',
    as: file.as ?? 'ada',
  });
}

// `/_sim` has no schema; the expectations check what the casts state.
const uploaded = async (platform: Platform, file?: UserUpload): Promise<SimUpload> => {
  const reply = await upload(platform, file);
  expect(reply.status).toBe(200);
  return reply.body as SimUpload;
};

const write = (platform: Platform, input: object): Promise<Reply> => platform.act('say', input);

describe('attach', () => {
  it('stores a file, which a message attaches and the bot receives', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    const file = await uploaded(platform);
    expect(file).toEqual({
      objectKey: expect.stringMatching(/^uploads\//),
      fileName: 'cat.png',
      contentType: 'image/png',
      size: CAT.length,
      url: `${platform.simulator.baseUrl}/_files/${file.objectKey}/cat.png`,
      expiresAt: '2026-01-01T00:15:00.000Z',
    });
    const { objectKey } = file;
    const sent = await write(platform, { content: 'Look', attachments: [objectKey] });
    const { attachments } = (sent.body as { message: SimMessage }).message;
    const attachment = { fileName: 'cat.png', contentType: 'image/png', size: CAT.length };
    expect(attachments).toMatchObject([attachment]);
    expect((await platform.send('GET', attachments[0]?.url ?? '')).bytes.equals(CAT)).toBe(true);
    expect(await bot.event('MESSAGE_CREATE')).toMatchObject({
      content: 'Look',
      attachments: [{ id: attachments[0]?.id, ...attachment }],
    });
  });

  it('needs no text next to a file, and a file or text', async () => {
    const platform = await openPlatform();
    const { objectKey } = await uploaded(platform);
    const alone = await write(platform, { content: '', attachments: [objectKey] });
    expect(alone.body).toMatchObject({
      message: { content: '', attachments: [{ fileName: 'cat.png' }] },
    });
    const none = await write(platform, { content: '', attachments: [] });
    expect(refusalOf(none)).toMatchObject({ code: 'bot_validation_error', field: 'content' });
    const again = await write(platform, { content: 'x', attachments: [objectKey] });
    expect(refusalOf(again)).toMatchObject({ code: 'bot_validation_error', field: 'attachments' });
  });

  it.each([
    ['notes.txt', 'text/plain'],
    ['cat', 'application/octet-stream'],
  ])('takes the type of %s from its extension, by default', async (name, contentType) => {
    const platform = await openPlatform();
    const { body } = await platform.act('attach', { name, text: 'hi' });
    expect(body).toMatchObject({ contentType });
    expect(platform.simulator.upload({ name, data: 'hi' })).toMatchObject({ contentType });
  });

  it('serves a file by its URL before a message has it, until it expires', async () => {
    const platform = await openPlatform();
    const { url } = await uploaded(platform, { fileName: 'my cat/ü?.png' });
    expect(url).toMatch(/\/my%20cat%2F%C3%BC%3F\.png$/);
    const found = await platform.send('GET', url);
    expect(found.bytes.equals(CAT)).toBe(true);
    expect(found.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': "attachment; filename*=UTF-8''my%20cat%2F%C3%BC%3F.png",
      'content-security-policy': "default-src 'none'; sandbox",
    });
    await platform.clock.advance(15 * 60_000);
    expect((await platform.send('GET', url)).status).toBe(404);
  });

  it('has a URL that clients do not shorten for a name of dots', async () => {
    const platform = await openPlatform();
    const { url } = await uploaded(platform, { fileName: '..' });
    expect((await platform.send('GET', url)).bytes.equals(CAT)).toBe(true);
  });

  it('accepts an empty file', async () => {
    const platform = await openPlatform();
    const { objectKey, size } = await uploaded(platform, { bytes: Buffer.alloc(0) });
    expect(size).toBe(0);
    const sent = await write(platform, { content: '', attachments: [objectKey] });
    expect(sent.body).toMatchObject({ message: { attachments: [{ size: 0 }] } });
  });

  it('refuses files that are too large, unnamed, or of someone outside the server', async () => {
    const platform = await openPlatform({ profile: { uploadMaxBytes: 4 } });
    expect(refusalOf(await upload(platform))).toEqual({
      status: 400,
      code: 'bot_validation_error',
      field: 'size',
    });
    const bytes = Buffer.from('x');
    expect(refusalOf(await upload(platform, { bytes, fileName: '' }))).toMatchObject({
      field: 'name',
    });
    expect(refusalOf(await upload(platform, { bytes, as: 'otherbot', channel: 'Lounge' }))).toEqual(
      { status: 400, code: 'bot_validation_error', field: 'channelId' },
    );
    const channel = platform.channelId('general', 'Second');
    const foreign = await upload(platform, { bytes, as: 'linus', channel });
    expect(refusalOf(foreign)).toEqual({ status: 404, code: 'bot_not_found' });
  });
});

describe('Simulator', () => {
  it('sends files of a user, with or without text', async () => {
    const { simulator } = await openPlatform();
    const data = Buffer.from('hello');
    const sent = simulator.sendMessage({
      content: 'two files',
      attachments: [
        { name: 'a.txt', data, contentType: 'text/plain' },
        { name: 'b', data: new Uint8Array(3) },
        { name: 'c.csv', data: 'a' },
      ],
    });
    expect(sent.attachments).toMatchObject([
      { fileName: 'a.txt', contentType: 'text/plain', size: 5 },
      { fileName: 'b', contentType: 'application/octet-stream', size: 3 },
      { fileName: 'c.csv', contentType: 'text/csv', size: 1 },
    ]);
    const url = simulator.baseUrl + (sent.attachments[0]?.url ?? '');
    expect(await (await fetch(url)).text()).toBe('hello');
    expect(simulator.sendMessage({ attachments: [{ name: 'c', data }] }).content).toBe('');
    expect(() => simulator.sendMessage({})).toThrow('content');
  });

  it('uploads a file for an attachment option', async () => {
    const { simulator } = await openPlatform();
    const { url } = simulator.upload({ name: 'a b.txt', data: Buffer.from('hi') });
    expect(url).toMatch(/\/a%20b\.txt$/);
    expect(await (await fetch(url)).text()).toBe('hi');
    expect(() => simulator.upload({ name: 'x', data: Buffer.from(''), channel: 'Lounge' })).toThrow(
      'voice',
    );
  });

  it('refuses more files than a message can have', async () => {
    const { simulator } = await openPlatform({ profile: { attachmentsMax: 1 } });
    const file = { name: 'a', data: Buffer.from('a') };
    expect(() => simulator.sendMessage({ attachments: [file, file] })).toThrow('at most 1 file');
  });
});
