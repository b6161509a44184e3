// The same calls as in the other tests, on a platform that shares no code with the client.
import { PROFILE_NAMES, PROFILES } from '@virgule/core/protocol';
import { startSimulator, type SimulatorOptions } from '@virgule/simulator';
import { Pool } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendReconciled, type HttpDispatcher, type HttpHandler } from '@virgule/client/rest';
import { errorOf, openRest } from './test-rest.js';

/** A client on a simulator, and a channel of each type. */
async function openOn(options: SimulatorOptions = {}) {
  const simulator = await startSimulator({ pageDir: null, ...options });
  onTestFinished(() => simulator.close());
  const rest = openRest(simulator.baseUrl, { token: simulator.token });
  const [server] = await rest.servers.list();
  const channels = await rest.servers.channels(server?.id ?? '');
  const idOf = (wanted: string): string => channels.find(({ type }) => type === wanted)?.id ?? '';
  return { simulator, rest, server, text: idOf('text'), voice: idOf('voice') };
}

/** The request goes out whole; its answer ends in a reset. */
function loseAnswer(handler: HttpHandler): HttpHandler {
  return {
    onRequestStart: (controller) => handler.onRequestStart(controller),
    onResponseStart: () => {},
    onResponseData: () => {},
    onResponseEnd: (controller) => handler.onResponseError(controller, new Error('reset')),
    onResponseError: (controller, error) => handler.onResponseError(controller, error),
  };
}

describe.each(PROFILE_NAMES)('the client on the simulator, profile %s', (name) => {
  const openPlatform = (options: SimulatorOptions = {}) =>
    openOn({ ...options, profile: { ...PROFILES[name], ...options.profile } });

  it.each(['POST', 'PUT'] as const)('sends files by %s', async (uploadMethod) => {
    const { simulator, rest, text } = await openPlatform({ profile: { uploadMethod } });
    const files = [
      { name: 'a.txt', data: Buffer.from('hello') },
      { name: 'b.png', data: new Uint8Array(200_000) },
    ];
    await rest.messages.send(text, { content: 'Look', files });
    // Not every platform responds with the message.
    const message = simulator.messages(text).at(-1);
    expect(message?.attachments).toMatchObject([
      { fileName: 'a.txt', contentType: 'text/plain', size: 5 },
      { fileName: 'b.png', contentType: 'image/png', size: 200_000 },
    ]);
    const [first] = message?.attachments ?? [];
    const { url } = await rest.attachments.accessUrl(text, message?.id ?? '', first?.id ?? '');
    expect(await (await fetch(url)).text()).toBe('hello');
  });

  it('sends no byte of a file that is too large', async () => {
    const { rest, text } = await openPlatform({ profile: { uploadMaxBytes: 4 } });
    const files = [Buffer.from('hello')];
    const error = await errorOf(rest.messages.send(text, { content: 'Look', files }));
    // Opening the session says how large the file is, and is refused: there is no `maxBytes` to read.
    expect(error.code).toBe('E_UPLOAD_FAILED');
    expect(error.cause).toMatchObject({ code: 'E_API_REFUSED', details: { field: 'size' } });
  });

  it('reads the history to its end', async () => {
    const { rest, text } = await openPlatform();
    const sent: string[] = [];
    for (let number = 0; number < 60; number += 1) {
      await rest.messages.send(text, { content: String(number) });
      sent.unshift(String(number));
    }
    const read: string[] = [];
    for await (const { content } of rest.messages.history(text)) read.push(content);
    expect(read.slice(0, 60)).toEqual(sent);
  });

  it('leaves no silent participant behind', async () => {
    const { rest, server, voice } = await openPlatform();
    const participants = async (): Promise<string> =>
      JSON.stringify(await rest.voice.state(server?.id ?? ''));
    const before = await participants();
    {
      await using ingress = await rest.voice.openIngress(voice);
      expect(ingress.channelId).toBe(voice);
      expect(await participants()).not.toBe(before);
    }
    expect(await participants()).toBe(before);
  });

  it('finds a message whose answer was lost, and sends it once', async () => {
    const { simulator, text } = await openPlatform();
    const pool = new Pool(simulator.baseUrl);
    onTestFinished(() => pool.destroy());
    const dispatcher: HttpDispatcher = {
      dispatch: (request, handler) =>
        pool.dispatch(request, request.method === 'POST' ? loseAnswer(handler) : handler),
    };
    const rest = openRest(simulator.baseUrl, { token: simulator.token, dispatcher });
    const content = 'Is anybody there?';
    const message = await sendReconciled(rest, text, { content });
    const all = simulator.messages(text).filter((each) => each.content === content);
    expect(all.map(({ id }) => id)).toEqual([message?.id]);
  });

  it('answers a command with a file, and follows up with another', async () => {
    const { simulator, rest } = await openPlatform();
    await rest.commands.replace([{ name: 'cat', description: 'A cat', options: [] }]);
    const { id, channelId } = simulator.run({ rawInput: '/cat' });
    const files = [{ name: 'cat.png', data: Buffer.from('cat') }];
    await rest.interactions.respond(id, { files, channelId });
    await rest.interactions.followUp(id, { content: 'Again', files, channelId });
    for (const message of simulator.messages(channelId).slice(-2))
      expect(message.attachments).toMatchObject([{ fileName: 'cat.png', size: 3 }]);
  });
});
