import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { lockState } from '../src/state/state-lock.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** A bot that prints every event it receives. */
const listening = (event: string, text: string) => ({
  [`events/${event.toLowerCase().replaceAll('_', '-')}.ts`]: `
    import { defineEvent } from 'virgule';
    export default defineEvent('${event}', async ({ data, channel }) => {
      await channel(data.channelId).send('${event} ' + ${text});
    });`,
});
const BOT = {
  'commands/hello.ts': answering('hello'),
  ...listening('MESSAGE_CREATE', 'data.content + " by " + data.authorUsername'),
};

async function trigger(files: Readonly<Record<string, string>>, ...argv: string[]) {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const io = createTestIo({ cwd: project.root });
  const code = await run(['trigger', ...argv], io);
  return { code, out: io.out, err: io.err };
}

/** A folder whose `virgule dev` is said to run on a simulator, or at an address. */
async function withRunningDev(baseUrl?: string) {
  const platform = await startSimulator();
  onTestFinished(() => platform.close());
  const project = await createTestProject(BOT);
  onTestFinished(() => project[Symbol.asyncDispose]());
  lockState({ root: project.root }).announce(baseUrl ?? platform.baseUrl);
  return { platform, io: createTestIo({ cwd: project.root }) };
}

describe('virgule trigger', () => {
  it('sends a message to a bot of its own, and prints what the bot wrote', async () => {
    expect(await trigger(BOT, 'MESSAGE_CREATE', '--content', 'hi')).toEqual({
      code: 0,
      out: 'MESSAGE_CREATE hi by ada\n',
      err: '',
    });
  });

  it('takes another user and channel, and the name of the event file', async () => {
    const args = ['message-create', '--content', 'hi', '--as', 'grace', '--channel', 'bot-spam'];
    const { code, out } = await trigger(BOT, ...args, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      v: 1,
      event: 'MESSAGE_CREATE',
      replies: ['MESSAGE_CREATE hi by grace'],
    });
  });

  it.each([
    ['MESSAGE_UPDATE', ['--content', 'edited'], 'data.content', 'MESSAGE_UPDATE edited'],
    ['MESSAGE_DELETE', [], `'gone'`, 'MESSAGE_DELETE gone'],
    ['MESSAGE_REACTION_ADD', ['--emoji', '🎉'], 'JSON.stringify(data.emoji)', '🎉'],
    ['MESSAGE_REACTION_REMOVE', [], `'back'`, 'MESSAGE_REACTION_REMOVE back'],
  ])('makes %s happen to the last message', async (event, args, text, expected) => {
    const { code, out, err } = await trigger({ ...BOT, ...listening(event, text) }, event, ...args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(expected);
  });

  it('makes people join a voice channel', async () => {
    const files = {
      ...BOT,
      'events/voice-state-update.ts': `
        import { defineEvent } from 'virgule';
        export default defineEvent('VOICE_STATE_UPDATE', () => { console.log('heard'); });`,
    };
    // oxlint-disable-next-line virgule/outside-world -- it is what the bot of the test writes to.
    const received = vi.spyOn(console, 'log').mockImplementation(() => {});
    onTestFinished(() => received.mockRestore());
    expect(await trigger(files, 'VOICE_STATE_UPDATE')).toMatchObject({ code: 0, err: '' });
    expect(received).toHaveBeenCalledWith('heard');
  });

  it('types a command', async () => {
    const line = ['APPLICATION_COMMAND', '--line', '/hello'];
    expect((await trigger(BOT, ...line)).out).toBe('hello\n');
    expect(await trigger(BOT, 'APPLICATION_COMMAND', '--line', 'helo')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Did you mean /hello?'),
    });
  });

  it('prints nothing when no handler listens', async () => {
    expect(await trigger({ 'commands/a.ts': answering('a') }, 'MESSAGE_DELETE')).toEqual({
      code: 0,
      out: '',
      err: '',
    });
  });

  it('is sent to the `virgule dev` that runs in the folder', async () => {
    const { platform, io } = await withRunningDev();
    expect(await run(['trigger', 'MESSAGE_CREATE', '--content', 'over there'], io)).toBe(0);
    expect(io.out).toBe(`MESSAGE_CREATE happened on ${platform.page}\n`);
    expect(platform.messages().at(-1)?.content).toBe('over there');
  });

  it('prints the answer of a command from the `virgule dev` of the folder', async () => {
    const { platform, io } = await withRunningDev();
    const registered = await fetch(`${platform.baseUrl}/api/bot/v1/commands`, {
      method: 'PUT',
      headers: { authorization: `Bot ${platform.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ commands: [{ name: 'hello', description: 'Hello', options: [] }] }),
    });
    expect(registered.status).toBe(200);
    const isAsked = new Promise<string>((resolve) =>
      platform.on(
        (happened) => happened.type === 'interaction' && resolve(happened.interaction.id),
      ),
    );
    const ended = run(['trigger', 'APPLICATION_COMMAND', '--line', '/hello'], io);
    platform.respond(await isAsked, 'over there');
    expect(await ended).toBe(0);
    expect(io.out).toBe(`APPLICATION_COMMAND happened on ${platform.page}\nover there\n`);
  });

  it('changes the message that is named, not the last one', async () => {
    const { platform, io } = await withRunningDev();
    const { id } = platform.sendMessage({ content: 'one' });
    platform.sendMessage({ content: 'two' });
    const argv = ['trigger', 'MESSAGE_UPDATE', '--content', 'edited', '--message', id];
    expect(await run(argv, io)).toBe(0);
    const contents = platform.messages().map(({ content }) => content);
    expect(contents.slice(-2)).toEqual(['edited', 'two']);
  });

  it('prints on standard error what the bot of its own has to log', async () => {
    const files = {
      ...BOT,
      'events/message-create.ts': `
        import { defineEvent } from 'virgule';
        export default defineEvent('MESSAGE_CREATE', () => { throw new Error('not my day'); });`,
    };
    const { code, out, err } = await trigger(files, 'MESSAGE_CREATE', '--content', 'hi');
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toContain('not my day');
    expect(err).not.toContain('"level"');
  });

  it.each([
    ['nobody is', undefined, 'ECONNREFUSED'],
    ['something in between answers', { status: 502, text: '<html>' }, 'status 502'],
    ['another program is', { status: 200, text: '<html>' }, 'is not valid JSON'],
  ])('says that `virgule dev` is not to be had where %s', async (_, answer, reason) => {
    const server = createServer((_request, response) => {
      response.writeHead(answer?.status ?? 200).end(answer?.text);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A listening server has an address with a port.
    const { port } = server.address() as AddressInfo;
    onTestFinished(() => void server.close());
    if (!answer) server.close();
    const { io } = await withRunningDev(`http://127.0.0.1:${port}`);
    expect(await run(['trigger', 'MESSAGE_CREATE', '--content', 'hi'], io)).toBe(1);
    expect(io.err).toContain('[E_TRIGGER_REFUSED]');
    expect(io.err).toContain(reason);
    expect(io.err).toContain('Start `virgule dev` again');
  });

  it.each([
    [[], 'E_ARGUMENTS', 'the name of one event'],
    [['MESSAGE_CREATE', 'hi'], 'E_ARGUMENTS', 'saw MESSAGE_CREATE hi'],
    [['MESAGE_CREATE'], 'E_TRIGGER_UNKNOWN', 'Did you mean MESSAGE_CREATE?'],
    [['nothing-like-it'], 'E_TRIGGER_UNKNOWN', 'Use one of MESSAGE_CREATE, '],
    [['MESSAGE_CREATE'], 'E_ARGUMENTS', '--content TEXT'],
    [['MESSAGE_CREATE', '--contnet', 'x'], 'E_UNKNOWN_FLAG', 'Did you mean --content?'],
    [['MESSAGE_DELETE', '--content', 'x'], 'E_UNKNOWN_FLAG', '`virgule trigger MESSAGE_DELETE`'],
    [
      ['MESSAGE_CREATE', '--content', 'x', '--channel', 'x'],
      'E_TRIGGER_REFUSED',
      'no text channel x, only general',
    ],
    [
      ['MESSAGE_CREATE', '--content', 'x', '--as', 'zoe'],
      'E_TRIGGER_REFUSED',
      'no user zoe, only ada',
    ],
    [
      ['MESSAGE_DELETE', '--as', 'grace', '--channel', 'hidden'],
      'E_TRIGGER_REFUSED',
      'no message of',
    ],
    [
      ['MESSAGE_DELETE', '--message', UNKNOWN_ID],
      'E_TRIGGER_REFUSED',
      `MESSAGE_DELETE was not triggered: There is no message ${UNKNOWN_ID}.`,
    ],
    [
      ['MESSAGE_DELETE', '--message', `../channels/${UNKNOWN_ID}`],
      'E_TRIGGER_REFUSED',
      'messageId',
    ],
    [['MESSAGE_REACTION_ADD', '--emoji', 'thumb'], 'E_TRIGGER_REFUSED', 'with --channel, --as'],
    [['MESSAGE_CREATE', '--content', ''], 'E_FLAG_VALUE', '--content takes TEXT'],
  ])('says what is wrong with %j', async (argv, code, text) => {
    const result = await trigger(BOT, ...argv);
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.err).toContain(`[${code}]`);
    expect(result.err).toContain(text);
  });
});
