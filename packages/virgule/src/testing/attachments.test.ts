import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { createTestBot } from './create-test-bot.js';
import type { TestBotOptions } from './test-bot.js';

const READ = `import { option } from 'virgule';
import * as z from 'zod';
const read = async ({ options, fetchAttachment }) => (await fetchAttachment(options.file)).text();
`;

const FILES = {
  'commands/read.ts': `${READ} export default { description: 'Read', run: read,
    options: z.object({ file: option.attachment() }) };`,
  'commands/all.ts': `${READ} export default { description: 'All', run: ({ options }) => options.files.join(),
    options: z.object({ files: z.array(option.attachment()) }) };`,
  'commands/any.ts': `${READ} export default { description: 'Any', run: read,
    options: z.object({ file: z.string() }) };`,
  'events/message-create.ts': `export default async ({ data, rest, reply, fetchAttachment }) => {
    const [file] = data.attachments;
    if (!file) return;
    const { url } = await rest.attachments.accessUrl(data.channelId, data.id, file.id);
    await reply(await (await fetchAttachment(url, { types: ['text/plain'] })).text());
  };`,
};

async function start(options: TestBotOptions = {}) {
  const project = await createTestProject(FILES);
  const bot = await createTestBot({ root: project.root, ...options });
  onTestFinished(async () => {
    await bot.close();
    await project[Symbol.asyncDispose]();
  });
  return bot;
}

const NOTES = { name: 'notes.txt', data: 'hello' };

describe('an attachment option', () => {
  it.each([{ network: false }, { network: true }])(
    'is a file of the platform, which fetchAttachment reads (%j)',
    async (options) => {
      const bot = await start(options);
      const { url } = bot.platform.upload(NOTES);
      expect((await bot.run(`/read ${url}`)).content).toBe('hello');
      expect((await bot.run(`/all ${url} ${url}`)).content).toBe(`${url},${url}`);
    },
  );

  it.each([
    'foo',
    '../../etc/passwd',
    'file:///etc/passwd',
    'c2f85d10-3e6b-4a97-8d04-1b7e9f5c6a32',
    'http://127.0.0.1:6379/',
    'http://169.254.169.254/latest/meta-data',
    'https://example.com/a.txt',
  ])('refuses %s with a text for users, without the name of a setting', async (value) => {
    const bot = await start({ strict: false });
    for (const line of [`/read ${value}`, `/all ${value}`]) {
      const { content, result } = await bot.run(line);
      expect(content).toMatch(
        /^[a-z]+: expected an attached file, got "[^"]*"\. Usage: \/[a-z]+ <[a-z]+…?>$/,
      );
      expect(result).toBe('input');
    }
    expect((await bot.run(`/any ${value}`)).error).toMatchObject({ code: 'E_ATTACHMENT_REFUSED' });
  });

  it('accepts hosts of the setting, which must be public unless they are named with their port', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.setHeader('content-type', 'text/plain').end('report');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const host = `localhost:${(server.address() as AddressInfo).port}`;
    const bot = await start({
      strict: false,
      config: { attachments: { hosts: ['localhost'] } },
    });
    expect((await bot.run('/read http://localhost/')).error).toMatchObject({
      code: 'E_ATTACHMENT_REFUSED',
      details: { reason: 'address' },
    });
    const named = await start({ config: { attachments: { hosts: [host] } } });
    expect((await named.run(`/read http://${host}/`)).content).toBe('report');
    expect(requests).toBe(1);
  });

  it('is an id where the profile says so', async () => {
    const bot = await start({ profile: { attachmentInput: 'id' } });
    const { url } = bot.platform.upload(NOTES);
    expect(url).toMatch(/^[\da-f-]{36}$/);
    expect((await bot.run(`/all ${url}`)).content).toBe(url);
    expect((await bot.run('/all https://example.com')).result).toBe('input');
  });
});

describe('fetchAttachment', () => {
  it('reads a file of a message in an event', async () => {
    const bot = await start();
    expect((await bot.attach(NOTES)).replies).toEqual(['hello']);
  });
});
