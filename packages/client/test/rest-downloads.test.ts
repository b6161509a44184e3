import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { startConnectProxy, startHiddenPlatform } from './connect-proxy.js';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import { startScriptedServer, type Answer, type Fault } from './scripted-server.js';
import { CHANNEL, errorOf, MESSAGE, openRest } from './test-rest.js';

const text = (body: string, headers = {}): Answer => ({
  text: body,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
});
const to = (location: string): Answer => ({ status: 302, headers: { location } });

/** A platform that answers by path, and its client. */
async function start(answers: Readonly<Record<string, Answer | Fault>>) {
  const server = await startScriptedServer(({ path }) => answers[path] ?? { status: 404 });
  return { server, url: server.url, rest: openRest(server.url) };
}

describe('rest.attachments.download', () => {
  it('returns a file of the platform, without sending the token', async () => {
    const { rest, url, server } = await start({ '/f/a.txt?key=1': text('a\nb') });
    const file = await rest.attachments.download(`${url}/f/a.txt?key=1`, { types: ['text/*'] });
    expect(await file.text()).toBe('a\nb');
    expect([file.type, file.size]).toEqual(['text/plain; charset=utf-8', 3]);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['foo'],
    ['file:///etc/passwd'],
    ['c2f85d10-3e6b-4a97-8d04-1b7e9f5c6a32'],
    ['https://example.com/a.txt'],
    ['ftp://127.0.0.1/a.txt'],
    [''],
  ])('refuses %j, and names the setting', async (url) => {
    const { rest, server } = await start({});
    expect(rest.attachments.isFileUrl(url)).toBe(false);
    const error = await errorOf(rest.attachments.download(url));
    expect(error).toMatchObject({ code: 'E_ATTACHMENT_REFUSED', details: { reason: 'host' } });
    expect(error.hint).toContain('attachments: { hosts }');
    expect(server.requests).toEqual([]);
  });

  it('refuses a URL with a user name, and another port of the platform', async () => {
    const { rest, url } = await start({});
    expect(rest.attachments.isFileUrl(url)).toBe(true);
    expect(rest.attachments.isFileUrl(url.replace('//', '//chat.example.com@'))).toBe(false);
    expect(rest.attachments.isFileUrl('http://127.0.0.1:1/')).toBe(false);
  });

  it.each(['localhost', '127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', '0.0.0.0'])(
    'opens no connection to %s, though the setting allows it, unless with its port',
    async (name) => {
      const { rest } = await start({});
      const { href, host } = new URL(`http://${name}/`);
      const error = await errorOf(rest.attachments.download(href, { hosts: [host] }));
      expect(error).toMatchObject({ code: 'E_ATTACHMENT_REFUSED', details: { reason: 'address' } });
      const inside = await startScriptedServer(() => text('a file'));
      const url = inside.url.replace('127.0.0.1', name === 'localhost' ? name : '127.0.0.1');
      const file = await rest.attachments.download(url, { hosts: [new URL(url).host] });
      expect(await file.text()).toBe('a file');
    },
  );

  it('opens no connection to an address of the cloud, whatever the setting names', async () => {
    const { rest } = await start({});
    const url = 'http://169.254.169.254/latest/meta-data';
    const error = await errorOf(rest.attachments.download(url, { hosts: ['169.254.169.254:80'] }));
    expect(error).toMatchObject({ details: { reason: 'address' } });
  });

  it('checks each redirect as it checks the URL', async () => {
    const inside = await startScriptedServer(() => text('secret'));
    const { rest, url } = await start({
      '/a': to('/b'),
      '/b': text('moved'),
      '/out': to(`${inside.url}/`),
      '/file': to('file:///etc/passwd'),
      '/loop': to('/loop'),
    });
    const { host } = new URL(inside.url);
    const refused = async (path: string, hosts?: readonly string[]) =>
      (await errorOf(rest.attachments.download(url + path, { hosts }))).details?.['reason'];
    expect(await (await rest.attachments.download(`${url}/a`)).text()).toBe('moved');
    expect(await refused('/out')).toBe('host');
    expect(await refused('/file')).toBe('host');
    expect(await refused('/loop')).toBe('redirects');
    expect(inside.requests).toEqual([]);
    const file = await rest.attachments.download(`${url}/out`, { hosts: [host] });
    expect(await file.text()).toBe('secret');
  });

  it('reads no more than maxBytes, whatever the length header says', async () => {
    const chunked = { 'transfer-encoding': 'chunked' };
    const { rest, url } = await start({
      '/long': text('x'.repeat(11), chunked),
      '/fits': text('x'.repeat(10), chunked),
    });
    const error = await errorOf(rest.attachments.download(`${url}/long`, { maxBytes: 10 }));
    expect(error.message).toContain('it is larger than 10 bytes');
    expect((await rest.attachments.download(`${url}/fits`, { maxBytes: 10 })).size).toBe(10);
  });

  it.each([
    ['/html', 'type'],
    ['/gzip', 'encoding'],
    ['/none', 'status'],
  ])('refuses the answer of %s for its %s', async (path, reason) => {
    const { rest, url } = await start({
      '/html': text('<html>', { 'content-type': 'TEXT/HTML' }),
      '/gzip': text('x', { 'content-encoding': 'gzip' }),
    });
    const types = ['text/plain'];
    const error = await errorOf(rest.attachments.download(url + path, { types }));
    expect(error).toMatchObject({ code: 'E_ATTACHMENT_REFUSED', details: { reason } });
  });

  it('names the types that it accepts', async () => {
    const { rest, url } = await start({ '/file': text('<p>', { 'content-type': 'text/html' }) });
    const types = ['text/plain', 'image/*'];
    const error = await errorOf(rest.attachments.download(`${url}/file`, { types }));
    expect(error.message).toContain('it is of type text/html, not text/plain or image/*');
    expect(error.hint).toContain('types');
  });

  it('ends with the signal, with its deadline, and with the client', async () => {
    const server = await startScriptedServer(() => ({ half: 'stall' }));
    const clock = createFakeClock();
    const rest = openRest(server.url, { clock });
    const stop = new AbortController();
    const { download } = rest.attachments;
    const aborted = errorOf(download(`${server.url}/a`, { signal: stop.signal }));
    const late = errorOf(download(`${server.url}/b`, { deadlineMs: 1_000 }));
    const closed = errorOf(download(`${server.url}/c`));
    await eventually(() => expect(server.requests).toHaveLength(3));
    stop.abort(new Error('enough'));
    expect(await aborted).toMatchObject({ code: 'E_ABORTED', cause: stop.signal.reason });
    await clock.advance(1_000);
    expect((await late).code).toBe('E_TIMEOUT');
    void rest.close();
    expect((await closed).code).toBe('E_SHUTTING_DOWN');
    expect((await errorOf(download(`${server.url}/d`))).code).toBe('E_SHUTTING_DOWN');
  });

  it('reports a host that cannot be reached', async () => {
    const { rest, url } = await start({ '/a': 'reset' });
    expect((await errorOf(rest.attachments.download(`${url}/a`))).code).toBe('E_UNREACHABLE');
  });
});

describe('the hosts of files', () => {
  it('are the hosts that access URLs and upload sessions name, the last 64 at least', async () => {
    const access = readFixture('attachment-access-url') as object;
    const session = readFixture('upload-session') as object;
    const server = await startScriptedServer(({ path }, index) => ({
      json: path.endsWith('/access-url')
        ? { ...access, url: `https://f${index}.example.com/x?key=1` }
        : { ...session, publicUrl: `https://cdn.example.com:8443/x` },
    }));
    const { attachments } = openRest(server.url);
    await attachments.openUpload(CHANNEL, { fileName: 'a', contentType: 'b/c', size: 1 });
    expect(attachments.isFileUrl('https://cdn.example.com:8443/other')).toBe(true);
    expect(attachments.isFileUrl('https://cdn.example.com/other')).toBe(false);
    expect(attachments.isFileUrl('http://cdn.example.com:8443/other')).toBe(false);
    for (let count = 0; count < 128; count += 1)
      await attachments.accessUrl(CHANNEL, MESSAGE, CHANNEL);
    expect(attachments.isFileUrl('https://f66.example.com/')).toBe(true);
    expect(attachments.isFileUrl('https://f128.example.com/')).toBe(true);
    expect(attachments.isFileUrl('https://cdn.example.com:8443/other')).toBe(false);
  });

  it('stay without private addresses when an answer named them', async () => {
    const inside = await startScriptedServer(() => text('secret'));
    const session = readFixture('upload-session') as object;
    const json = { ...session, publicUrl: `${inside.url}/x` };
    const { attachments } = openRest((await startScriptedServer(() => ({ json }))).url);
    await attachments.openUpload(CHANNEL, { fileName: 'a', contentType: 'b/c', size: 1 });
    const error = await errorOf(attachments.download(`${inside.url}/x`));
    expect(error).toMatchObject({ details: { reason: 'address' } });
    expect(inside.requests).toEqual([]);
  });

  it('are logged once when they are not known', async () => {
    const lines: unknown[] = [];
    const log = { ...silentLog, warn: (details: object) => void lines.push(details) };
    const { attachments } = openRest('https://chat.example.test', { log });
    for (const path of ['a', 'b']) attachments.isFileUrl(`https://cdn.example.com/${path}`);
    for (let count = 0; count < 100; count += 1) attachments.isFileUrl(`https://h${count}.test/`);
    expect(lines).toHaveLength(64);
    expect(lines[0]).toEqual({ host: 'cdn.example.com' });
  });

  it('may be behind a proxy, which resolves their names', async () => {
    const hidden = await startHiddenPlatform((path) => path);
    const proxy = await startConnectProxy(hidden.port);
    const { attachments } = openRest('http://chat.example.test', { proxy: proxy.url });
    const hosts = ['files.example.test', '10.0.0.1'];
    const file = await attachments.download('http://files.example.test/a', { hosts });
    expect(await file.text()).toBe('"/a"');
    const error = await errorOf(attachments.download('http://10.0.0.1/a', { hosts }));
    expect(error.details?.['reason']).toBe('address');
    expect(proxy.targets).toEqual(['files.example.test:80']);
  });
});
