import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPlatform, type Platform } from './open-platform.js';

/** Starts a simulator with a small page, and a file next to its folder that must not be served. */
async function openWithPage(): Promise<Platform> {
  const folder = await mkdtemp(join(tmpdir(), 'virgule-page-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const pageDir = join(folder, 'page');
  await mkdir(join(pageDir, 'assets'), { recursive: true });
  await writeFile(join(pageDir, 'index.html'), '<!doctype html><title>Playground</title>');
  await writeFile(join(pageDir, 'favicon-of-page.svg'), '<svg/>');
  await writeFile(join(pageDir, 'assets', 'index-B7mXq2Zk.js'), 'export {};');
  await writeFile(join(folder, 'secret.txt'), 'secret');
  return openPlatform({ pageDir });
}

describe('the page', () => {
  it('is served at / and at every place inside it, never from a cache', async () => {
    const platform = await openWithPage();
    for (const path of ['/', '/s/1/c/2', '/s/1/c/2?as=ada&m=3', '/apiary']) {
      const { status, text, headers } = await platform.send('GET', path);
      expect({ status, text }).toEqual({
        status: 200,
        text: '<!doctype html><title>Playground</title>',
      });
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      });
    }
  });

  it('runs nothing but its own scripts', async () => {
    const platform = await openWithPage();
    const { headers } = await platform.send('GET', '/');
    const { host } = new URL(platform.simulator.baseUrl);
    expect(headers['content-security-policy']).toBe(
      `default-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws://${host} wss://${host}; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });

  it('caches hashed files indefinitely, and others with revalidation', async () => {
    const platform = await openWithPage();
    const script = await platform.send('GET', '/assets/index-B7mXq2Zk.js');
    expect(script.text).toBe('export {};');
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const icon = await platform.send('GET', '/favicon-of-page.svg');
    expect(icon.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'no-cache',
    });
  });

  it('answers HEAD without the body', async () => {
    const platform = await openWithPage();
    const { status, text, headers } = await platform.send('HEAD', '/');
    expect({ status, text, length: headers['content-length'] }).toEqual({
      status: 200,
      text: '',
      length: '40',
    });
  });

  it.each([
    '/missing.js',
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%00.txt',
    '/%zz.txt',
    '/assets/../../secret.txt',
  ])('has no file at %s', async (path) => {
    const platform = await openWithPage();
    const { status, text } = await platform.send('GET', path);
    expect({ status, text }).toEqual({ status: 404, text: 'File not found.\n' });
  });

  it('says that it is not built', async () => {
    const platform = await openPlatform({ pageDir: '/nowhere' });
    const { status, text, headers } = await platform.send('GET', '/s/1');
    expect(status).toBe(404);
    expect(text).toContain('The chat page is not built.');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('is left out when asked', async () => {
    const platform = await openPlatform({ pageDir: null });
    expect((await platform.send('GET', '/')).status).toBe(404);
  });
});
