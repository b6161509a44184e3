import { describe, expect, it } from 'vitest';
import { ADA } from '../../test/sample-world.js';
import { actOf, createSimApi } from './sim-api.js';

interface Call {
  readonly path: string;
  readonly method: string | undefined;
  readonly body: unknown;
  readonly headers: Record<string, string>;
}

/** An API over a fetch function with one response, which records the calls. */
function apiWith(answer: () => Response) {
  const calls: Call[] = [];
  const api = createSimApi((path, init) => {
    calls.push({
      path: path instanceof Request ? path.url : String(path),
      method: init?.method,
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      headers: Object.fromEntries(new Headers(init?.headers)),
    });
    return Promise.resolve().then(answer);
  });
  return { api, calls };
}

const ok = () => new Response('{"messages":[],"hasMore":false}');

describe('createSimApi', () => {
  it('reads pages', async () => {
    const { api, calls } = apiWith(ok);
    const page = { messages: [], hasMore: false };
    await expect(api.read('messages', { channel: 'c 1', moment: undefined })).resolves.toEqual(
      page,
    );
    await api.read('state');
    await api.read('messages', { channel: 'c1', limit: 50 });
    expect(calls.map((call) => call.path)).toEqual([
      '/_sim/messages?channel=c+1',
      '/_sim/state',
      '/_sim/messages?channel=c1&limit=50',
    ]);
  });

  it('carries out actions, those of users as the user and without waiting', async () => {
    const { api, calls } = apiWith(ok);
    await api.ask('say', actOf(ADA, { content: 'hi', replyTo: undefined }));
    await api.act('reset');
    expect(calls.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/_sim/say', { content: 'hi', as: ADA.id, seconds: 0 }],
      ['POST', '/_sim/reset', {}],
    ]);
  });

  it('runs a command through the platform’s endpoint, as the user', async () => {
    const { api, calls } = apiWith(ok);
    await api.runCommand(ADA, 'c', 'x', '/roll 6');
    expect(calls[0]).toMatchObject({
      method: 'POST',
      path: '/api/channels/c/interactions/commands',
      body: { commandId: 'x', rawInput: '/roll 6' },
      headers: { authorization: `Bearer ${ADA.token}` },
    });
  });

  it('throws the error of the body', async () => {
    const body = {
      code: 'bot_validation_error',
      message: 'too long',
      details: {},
      requestId: 'r1',
    };
    const { api } = apiWith(() => new Response(JSON.stringify(body), { status: 400 }));
    await expect(api.act('edit')).rejects.toMatchObject({
      code: 'bot_validation_error',
      message: 'too long',
      requestId: 'r1',
    });
  });

  it.each(['', '<html>', 'null', '{"code":5}'])('accepts the error body %j', async (text) => {
    const { api } = apiWith(() => new Response(text, { status: 503 }));
    await expect(api.act('delete')).rejects.toMatchObject({
      code: 'status 503',
      message: 'The simulator responded with status 503.',
      requestId: null,
    });
  });

  it.each([
    ['breaks off', () => new ReadableStream({ start: (body) => body.error(new Error('reset')) })],
    ['is no JSON', () => '<html>'],
  ])('treats a page whose text %s as not reached', async (_, text) => {
    const { api } = apiWith(() => new Response(text()));
    await expect(api.read('messages')).rejects.toMatchObject({ code: 'unreachable' });
    // The action was accepted: the user must not be asked to send it again.
    await expect(api.act('delete')).resolves.toBeUndefined();
  });

  it('says that nothing was reached', async () => {
    const { api } = apiWith(() => {
      throw new TypeError('Failed to fetch');
    });
    await expect(api.act('voice')).rejects.toMatchObject({ code: 'unreachable' });
  });
});
