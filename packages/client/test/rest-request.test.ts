import { describe, expect, it } from 'vitest';
import { createWatchedClock } from './watched-clock.js';
import { createScriptedDispatcher } from './scripted-dispatcher.js';
import { startScriptedServer } from './scripted-server.js';
import { CHANNEL, MESSAGE, errorOf, openRest } from './test-rest.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

describe('rest.request', () => {
  it('calls an endpoint that has no method, with the token', async () => {
    const server = await startScriptedServer(({ method }) => ({ json: { by: method } }));
    const rest = openRest(server.url);
    for (const method of METHODS) {
      const body = method === 'GET' ? undefined : { ids: [1] };
      const options = { query: { limit: 5, after: undefined }, body };
      expect(await rest.request(method, `/channels/${CHANNEL}/pins`, options)).toEqual({
        by: method,
      });
    }
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      METHODS.map((method) => `${method} /api/bot/v1/channels/${CHANNEL}/pins?limit=5`),
    );
    expect(server.requests[1]?.json).toEqual({ ids: [1] });
    expect(server.requests[0]?.headers['authorization']).toMatch(/^Bot /);
  });

  it('has one name for observers, since its path may contain words of users', async () => {
    const server = await startScriptedServer(() => ({}));
    const rest = openRest(server.url);
    const names: string[] = [];
    rest.observe((name, run) => {
      names.push(name);
      return run();
    });
    await rest.request('GET', '/users/ada');
    expect(names).toEqual(['request']);
  });

  it('is undefined for an empty body, and an error for one that is no JSON', async () => {
    const server = await startScriptedServer((_request, index) =>
      index === 0 ? {} : { text: 'hello' },
    );
    const rest = openRest(server.url);
    expect(await rest.request('POST', '/x')).toBeUndefined();
    expect(await errorOf(rest.request('GET', '/x'))).toMatchObject({
      code: 'E_BAD_RESPONSE',
      details: { endpoint: 'GET /x', route: 'GET /x' },
    });
  });

  it.each([
    ['GET', undefined, 3],
    ['POST', undefined, 1],
    ['DELETE', undefined, 1],
    ['POST', true, 3],
  ] as const)('%s, isRepeatable %s, is tried %d times', async (method, isRepeatable, tries) => {
    const dispatcher = createScriptedDispatcher(() => 'reset');
    const clock = createWatchedClock({ stepping: true });
    const rest = openRest('http://chat.test', { dispatcher, clock });
    const { code } = await errorOf(rest.request(method, '/x', { isRepeatable }));
    expect(dispatcher.requests).toHaveLength(tries);
    expect(code).toBe(tries === 3 && method === 'GET' ? 'E_UNREACHABLE' : 'E_OUTCOME_UNKNOWN');
  });

  it('has a rate limit for each route and first id', async () => {
    const dispatcher = createScriptedDispatcher(({ path }) =>
      path.includes(`/channels/${CHANNEL}`)
        ? { status: 429, headers: { 'retry-after': '60' } }
        : { json: [] },
    );
    const rest = openRest('http://chat.test', { dispatcher });
    const error = await errorOf(rest.request('GET', `/channels/${CHANNEL}/pins/${MESSAGE}`));
    expect(error).toMatchObject({
      code: 'E_RATE_LIMITED',
      details: { route: 'GET /channels/{id1}/pins/{id2}' },
    });
    await errorOf(rest.request('GET', `/channels/${CHANNEL}/pins/${CHANNEL}`));
    expect(dispatcher.requests).toHaveLength(1);
    expect(await rest.request('GET', `/channels/${MESSAGE}/pins/${CHANNEL}`)).toEqual([]);
    expect(rest.limits().buckets).toMatchObject([
      { route: 'GET /channels/{id1}/pins/{id2}', major: CHANNEL },
    ]);
  });

  it.each([
    'x',
    '',
    '//evil.test/x',
    'https://evil.test',
    '/x?y',
    '/x#y',
    '/a/../b',
    '/x y',
    '/x\r\n',
    '/channels/%2E%2e/users',
  ])('refuses the path %j', async (path) => {
    const dispatcher = createScriptedDispatcher(() => ({}));
    const rest = openRest('http://chat.test', { dispatcher });
    expect((await errorOf(rest.request('GET', path))).code).toBe('E_INVALID_CALL');
    expect(dispatcher.requests).toEqual([]);
  });

  it('refuses another method, and every call after close()', async () => {
    const rest = openRest('http://chat.test', { dispatcher: createScriptedDispatcher(() => ({})) });
    expect((await errorOf(rest.request('TRACE' as 'GET', '/x'))).code).toBe('E_INVALID_CALL');
    await rest.close();
    expect((await errorOf(rest.request('GET', '/x'))).code).toBe('E_SHUTTING_DOWN');
  });
});

describe('userAgent', () => {
  it('names the program before this package', async () => {
    const dispatcher = createScriptedDispatcher(() => ({ json: [] }));
    await openRest('http://chat.test', { dispatcher }).request('GET', '/x');
    await openRest('http://chat.test', { dispatcher, userAgent: 'MyBot/2.1' }).request('GET', '/x');
    expect(dispatcher.requests.map(({ headers }) => headers['user-agent'])).toEqual([
      expect.stringMatching(/^Virgule\/\d+\.\d+\.\d+$/),
      expect.stringMatching(/^MyBot\/2\.1 Virgule\/\d+\.\d+\.\d+$/),
    ]);
  });

  it('is refused when no header can carry it', () => {
    for (const userAgent of ['a\r\nb: c', '', 'é']) {
      expect(() => openRest('http://chat.test', { userAgent })).toThrow(
        expect.objectContaining({ code: 'E_INVALID_CALL' }),
      );
    }
  });
});
