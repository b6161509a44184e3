import { Pool, type Dispatcher } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { readFixture } from './read-fixture.js';
import { startScriptedServer } from './scripted-server.js';
import { openRest } from './test-rest.js';

it('an interceptor of undici sees each request and its response', async () => {
  const me = readFixture('bot-me');
  const server = await startScriptedServer(() => ({ json: me }));
  const seen: string[] = [];
  const watch: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (...given) => handler.onRequestStart?.(...given),
      onResponseStart(controller, status, ...rest) {
        seen.push(`${options.method} ${options.path} ${status}`);
        handler.onResponseStart?.(controller, status, ...rest);
      },
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: (...given) => handler.onResponseError?.(...given),
    });
  const pool = new Pool(server.url);
  onTestFinished(() => pool.close());
  const rest = openRest(server.url, { dispatcher: pool.compose(watch) });
  expect(await rest.users.me()).toEqual(me);
  expect(seen).toEqual(['GET /api/bot/v1/users/@me 200']);
});
