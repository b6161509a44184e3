import type { VoiceIngress } from '@virgule/core/protocol';
import { silentLog, type Log } from '@virgule/core/log';
import { describe, expect, it, vi } from 'vitest';
import type { HttpDispatcher, Rest } from '@virgule/client/rest';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import {
  createScriptedDispatcher,
  type Mishap,
  type Reply,
  type ScriptedDispatcher,
} from './scripted-dispatcher.js';
import { createWatchedClock, type WatchedClock } from './watched-clock.js';
import { CHANNEL, MESSAGE, errorOf, openRest } from './test-rest.js';

const answer = readFixture('voice-ingress') as VoiceIngress;

interface Voice {
  readonly rest: Rest;
  readonly dispatcher: ScriptedDispatcher;
  readonly clock: WatchedClock;
  readonly error: ReturnType<typeof vi.fn<Log['error']>>;
  /** `POST` and `DELETE`, in their order. */
  readonly methods: readonly string[];
}

/** A voice channel; what opening and closing are answered can be replaced. */
function openVoice(
  open: Mishap | Reply | Promise<Reply> = { json: answer },
  close: (index: number) => Mishap | Reply = () => ({}),
): Voice {
  let closes = 0;
  const dispatcher = createScriptedDispatcher(({ method }) =>
    method === 'POST' ? open : close(closes++),
  );
  const error = vi.fn<Log['error']>();
  const clock = createWatchedClock({ stepping: true });
  const rest = openRest('http://chat.test', {
    dispatcher,
    clock,
    log: { ...silentLog, error },
  });
  return {
    rest,
    dispatcher,
    clock,
    error,
    get methods() {
      return dispatcher.requests.map(({ method }) => method);
    },
  };
}

describe('voice.openIngress', () => {
  it('returns what the platform answered, with nothing added that shows', async () => {
    const { rest } = openVoice();
    const ingress = await rest.voice.openIngress(CHANNEL);
    expect(ingress).toEqual(answer);
    expect(JSON.parse(JSON.stringify(ingress))).toEqual(answer);
    expect(structuredClone(ingress)).toEqual(answer);
  });

  it('is closed at the end of an `await using` block', async () => {
    const voice = openVoice();
    {
      await using ingress = await voice.rest.voice.openIngress(CHANNEL);
      expect(ingress.streamKey).toBe(answer.streamKey);
      expect(voice.methods).toEqual(['POST']);
    }
    expect(voice.methods).toEqual(['POST', 'DELETE']);
    expect(voice.dispatcher.requests[1]?.path).toBe(
      `/api/bot/v1/channels/${CHANNEL}/voice/ingress`,
    );
  });

  it('is closed once, however often it is asked for', async () => {
    const voice = openVoice();
    const { close } = await voice.rest.voice.openIngress(CHANNEL);
    await Promise.all([close(), close()]);
    await close();
    await voice.rest.close();
    expect(voice.methods).toEqual(['POST', 'DELETE']);
  });

  it('counts as closed when it is gone already', async () => {
    const voice = openVoice(undefined, () => ({ status: 404 }));
    const ingress = await voice.rest.voice.openIngress(CHANNEL);
    await ingress.close();
    await voice.rest.close();
    expect(voice.methods).toEqual(['POST', 'DELETE']);
  });

  it('says when it could not be closed, and can be asked again', async () => {
    const voice = openVoice(undefined, (index) => (index === 0 ? { status: 403 } : {}));
    const ingress = await voice.rest.voice.openIngress(CHANNEL);
    expect((await errorOf(ingress.close())).code).toBe('E_API_REFUSED');
    await ingress.close();
    expect(voice.methods).toEqual(['POST', 'DELETE', 'DELETE']);
  });

  it('is closed when its signal is aborted later', async () => {
    const voice = openVoice();
    const controller = new AbortController();
    await voice.rest.voice.openIngress(CHANNEL, { signal: controller.signal });
    controller.abort();
    await eventually(() => expect(voice.methods).toEqual(['POST', 'DELETE']));
    await voice.rest.close();
    expect(voice.methods).toHaveLength(2);
  });

  it('is closed when its signal is aborted in the moment of its answer', async () => {
    const controller = new AbortController();
    const methods: string[] = [];
    const dispatcher: HttpDispatcher = {
      dispatch(request, handler) {
        methods.push(request.method);
        const answered = { abort: () => {} };
        handler.onRequestStart(answered);
        handler.onResponseStart(answered, 200, {});
        handler.onResponseData(answered, Buffer.from(JSON.stringify(answer)));
        handler.onResponseEnd(answered);
        controller.abort();
      },
    };
    const rest = openRest('http://chat.test', { dispatcher });
    await rest.voice.openIngress(CHANNEL, { signal: controller.signal });
    await eventually(() => expect(methods).toEqual(['POST', 'DELETE']));
  });

  it('logs that it stays open when no caller is left to receive the error', async () => {
    const voice = openVoice(undefined, () => ({ status: 403 }));
    const controller = new AbortController();
    await voice.rest.voice.openIngress(CHANNEL, { signal: controller.signal });
    controller.abort();
    await eventually(() => expect(voice.error).toHaveBeenCalledOnce());
    expect(voice.error.mock.calls[0]?.[1]).toContain('silent participant');
    expect(JSON.stringify(voice.error.mock.calls)).not.toContain(answer.streamKey);
  });

  it('is closed when the client closes, which takes no new calls meanwhile', async () => {
    const voice = openVoice();
    await voice.rest.voice.openIngress(CHANNEL);
    await voice.rest.voice.openIngress(MESSAGE);
    const closing = voice.rest.close();
    expect((await errorOf(voice.rest.users.me())).code).toBe('E_SHUTTING_DOWN');
    await closing;
    expect(voice.methods).toEqual(['POST', 'POST', 'DELETE', 'DELETE']);
  });

  it('is closed when the client closes while it is being opened', async () => {
    let respond = (_reply: Reply): void => {};
    const voice = openVoice(new Promise((resolve) => (respond = resolve)));
    const opening = voice.rest.voice.openIngress(CHANNEL);
    // Lets the request be written.
    await voice.clock.advance(0);
    const closing = voice.rest.close();
    respond({ json: answer });
    await closing;
    expect(voice.methods).toEqual(['POST', 'DELETE']);
    await (await opening).close();
    expect(voice.methods).toHaveLength(2);
  });

  it('is reported when the client closes before it is opened, and cannot be closed', async () => {
    const voice = openVoice('silence');
    const opening = errorOf(voice.rest.voice.openIngress(CHANNEL));
    await voice.clock.advance(0);
    await voice.rest.close();
    expect((await opening).code).toBe('E_OUTCOME_UNKNOWN');
    expect(voice.error).toHaveBeenCalled();
    expect(voice.methods).toEqual(['POST']);
  });

  it('does not hold up the client that closes when it cannot be closed', async () => {
    const voice = openVoice(undefined, () => 'unsent');
    await voice.rest.voice.openIngress(CHANNEL);
    await voice.rest.close();
    expect(voice.error).toHaveBeenCalledOnce();
  });

  it('holds the client that closes for 2 s when the platform does not answer', async () => {
    const voice = openVoice(undefined, () => 'silence');
    await voice.rest.voice.openIngress(CHANNEL);
    const beganMs = voice.clock.monotonic();
    await voice.rest.close();
    expect(voice.clock.monotonic() - beganMs).toBeLessThanOrEqual(2_000);
    expect(voice.error).toHaveBeenCalledOnce();
  });

  it('is not closed again when voice.closeIngress did it', async () => {
    const voice = openVoice();
    await voice.rest.voice.openIngress(CHANNEL);
    await voice.rest.voice.closeIngress(CHANNEL);
    await voice.rest.close();
    expect(voice.methods).toEqual(['POST', 'DELETE']);
  });

  it.each<[string, Mishap | Reply, string]>([
    ['whose answer was lost', 'reset', 'E_OUTCOME_UNKNOWN'],
    ['whose answer cannot be read', { text: 'opened' }, 'E_BAD_RESPONSE'],
  ])('closes one %s: only the client can', async (_name, open, code) => {
    const voice = openVoice(open);
    expect((await errorOf(voice.rest.voice.openIngress(CHANNEL))).code).toBe(code);
    await eventually(() => expect(voice.methods).toEqual(['POST', 'DELETE']));
  });

  it('closes one that was in flight when it was aborted', async () => {
    const voice = openVoice('silence');
    const controller = new AbortController();
    const call = errorOf(voice.rest.voice.openIngress(CHANNEL, { signal: controller.signal }));
    // Lets the request be written.
    await voice.clock.advance(0);
    expect(voice.methods).toEqual(['POST']);
    controller.abort();
    expect((await call).code).toBe('E_ABORTED');
    await eventually(() => expect(voice.methods).toEqual(['POST', 'DELETE']));
  });

  it('is opened after the close of the one before, which would otherwise close it', async () => {
    let respond = (_reply: Reply): void => {};
    const closed = new Promise<Reply>((resolve) => (respond = resolve));
    let posts = 0;
    const dispatcher = createScriptedDispatcher(({ method }) => {
      if (method === 'DELETE') return closed;
      return posts++ === 0 ? 'silence' : { json: answer };
    });
    const clock = createWatchedClock({ stepping: true });
    const rest = openRest('http://chat.test', { dispatcher, clock });
    const methods = () => dispatcher.requests.map(({ method }) => method);
    const controller = new AbortController();
    const first = errorOf(rest.voice.openIngress(CHANNEL, { signal: controller.signal }));
    await clock.advance(0);
    controller.abort();
    await first;
    const second = rest.voice.openIngress(CHANNEL);
    const other = new AbortController();
    const third = errorOf(rest.voice.openIngress(CHANNEL, { signal: other.signal }));
    other.abort();
    // Another channel does not wait.
    await rest.voice.openIngress(MESSAGE);
    expect((await third).code).toBe('E_ABORTED');
    expect(methods()).toEqual(['POST', 'DELETE', 'POST']);
    respond({});
    await second;
    expect(methods()).toEqual(['POST', 'DELETE', 'POST', 'POST']);
    await rest.close();
  });

  it('is opened after a close that was called by the channel', async () => {
    let respond = (_reply: Reply): void => {};
    const closed = new Promise<Reply>((resolve) => (respond = resolve));
    const dispatcher = createScriptedDispatcher(({ method }) =>
      method === 'DELETE' ? closed : { json: answer },
    );
    const clock = createWatchedClock({ stepping: true });
    const rest = openRest('http://chat.test', { dispatcher, clock });
    const methods = () => dispatcher.requests.map(({ method }) => method);
    const closing = rest.voice.closeIngress(CHANNEL);
    const opening = rest.voice.openIngress(CHANNEL);
    await rest.voice.openIngress(MESSAGE);
    expect(methods()).toEqual(['DELETE', 'POST']);
    respond({});
    await Promise.all([closing, opening]);
    expect(methods()).toEqual(['DELETE', 'POST', 'POST']);
    await rest.close();
  });

  it.each<[string, Mishap | Reply]>([
    ['refused', { status: 403 }],
    ['never sent', 'unsent'],
  ])('closes nothing when it was %s', async (_name, open) => {
    const voice = openVoice(open);
    await errorOf(voice.rest.voice.openIngress(CHANNEL));
    await voice.rest.close();
    expect(voice.methods).not.toContain('DELETE');
  });

  it('leaves the one alone that is open when a second attempt is lost', async () => {
    let posts = 0;
    const dispatcher = createScriptedDispatcher(({ method }) =>
      method === 'POST' && posts++ === 1 ? 'reset' : { json: answer },
    );
    const rest = openRest('http://chat.test', { dispatcher });
    await rest.voice.openIngress(CHANNEL);
    await errorOf(rest.voice.openIngress(CHANNEL));
    expect(dispatcher.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });
});
