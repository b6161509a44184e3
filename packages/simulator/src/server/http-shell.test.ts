import { Readable } from 'node:stream';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { resolveProfile } from '@virgule/core/protocol';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { textAnswer, type Answer, type Incoming } from './exchange.js';
import { createHttpShell, listen } from './http-shell.js';
import { createServe } from './serve.js';

/** Starts a server with an answer function; returns the server with its logged errors. */
async function serve(answer: (incoming: Incoming) => Promise<Answer>) {
  const errors: { readonly details: object; readonly message: string }[] = [];
  const log = {
    ...silentLog,
    error: (details: object, message: string) => void errors.push({ details, message }),
  };
  const shell = createHttpShell({
    log,
    serve: createServe({ clock: createFakeClock(), log, profile: resolveProfile() }, () => {}),
    answer,
    sockets: {},
  });
  onTestFinished(() => shell.close());
  const port = await listen(shell.server, '127.0.0.1', 0);
  const url = `http://127.0.0.1:${port}`;
  return {
    errors,
    get: (path: string) => request(url + path),
    /** Sends strings one by one, without a content-length. */
    post: (...texts: readonly string[]) =>
      request(url, { method: 'POST', body: Readable.from(texts) }),
  };
}

describe('createHttpShell', () => {
  it('responds to a bug with 500 and the request id that it logs with the error', async () => {
    const mistake = new TypeError('the token is s3cret');
    const { errors, get } = await serve(async ({ path }) => {
      if (path === '/bad') throw mistake;
      return textAnswer(200, 'fine');
    });
    const response = await get('/bad');
    expect(response.statusCode).toBe(500);
    const body: unknown = await response.body.json();
    expect(body).toEqual({
      code: 'sim_internal_error',
      message: 'The simulator failed. See its log.',
      details: {},
      requestId: expect.stringMatching(/^sim-\d{8}$/),
    });
    const { requestId } = body as { readonly requestId: string };
    expect(errors).toEqual([
      { details: { error: mistake, requestId }, message: 'failed to handle a request' },
    ]);
    expect(await (await get('/good')).body.text()).toBe('fine');
  });

  it('rejects a body without content-length that is too large', async () => {
    const { post, get } = await serve(async ({ method, body }) => {
      return textAnswer(200, method === 'GET' ? 'fine' : String(await body(10)));
    });
    const exactly = await post('12345', '67890');
    expect(await exactly.body.text()).toBe('1234567890');
    const tooLarge = await post('12345', '67890', '1');
    expect(tooLarge.statusCode).toBe(413);
    expect(await tooLarge.body.json()).toMatchObject({
      code: 'bot_payload_too_large',
      details: { maxBytes: 10 },
    });
    expect(await (await get('/')).body.text()).toBe('fine');
  });
});
