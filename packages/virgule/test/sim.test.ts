import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startSimulator } from '@virgule/simulator';
import { SIM_ACTIONS } from '@virgule/simulator/control';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { commandOf } from '../src/sim/action-commands.js';
import { readInput } from '../src/sim/sim-input.js';
import { lockState } from '../src/state/state-lock.js';
import { readArguments } from '../src/terminal/arguments.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

const RULE = { name: 'slow', on: { request: '*' }, do: { type: 'delay', ms: 5 } } as const;

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** A folder whose `virgule dev` is said to run on a simulator, or at an address. */
async function openSim(files: Readonly<Record<string, string>> = {}, baseUrl?: string) {
  const platform = await startSimulator({ pageDir: null });
  onTestFinished(() => platform.close());
  const project = await createTestProject({});
  onTestFinished(() => project[Symbol.asyncDispose]());
  for (const [name, text] of Object.entries(files)) await writeFile(join(project.root, name), text);
  const lock = lockState({ root: project.root });
  lock.announce(baseUrl ?? platform.baseUrl);
  return { platform, lock, sim: (...argv: string[]) => simIn(project.root, ...argv) };
}

async function simIn(cwd: string, ...argv: string[]) {
  const io = createTestIo({ cwd });
  const code = await run(['sim', ...argv], io);
  return { code, out: io.out, err: io.err };
}

describe('virgule sim', () => {
  it('has an action and a help for each row of the table', async () => {
    const { sim } = await openSim();
    const { out } = await sim('--help');
    for (const { name, about } of SIM_ACTIONS) {
      expect(out).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
      expect((await sim(name, '--help')).out.replaceAll(/\s+/g, ' ')).toContain(about);
    }
  });

  it.each(SIM_ACTIONS)('has an example of $name that it accepts', async (action) => {
    const { examples, flags } = commandOf(action);
    for (const example of examples) {
      const [, , name, ...argv] = (example.match(/"[^"]*"|\S+/g) ?? []).map((word) =>
        word.replaceAll('"', ''),
      );
      expect(name).toBe(action.name);
      const input = await readInput(action, readArguments(`sim ${name}`, argv, flags), '.');
      expect(action.input.safeParse(input).error).toBeUndefined();
    }
  });

  it('prints what HTTP responds with, also for words and flags', async () => {
    const { platform, sim } = await openSim();
    const said = JSON.parse(
      (await sim('say', 'hi', '--as', 'grace', '--json', '--seconds', '0')).out,
    );
    expect(said).toMatchObject({ message: { content: 'hi', authorUsername: 'grace' } });
    const read = await fetch(`${platform.baseUrl}/_sim/messages?limit=1`);
    expect(JSON.parse((await sim('messages', '--limit', '1', '--json')).out)).toEqual(
      await read.json(),
    );
    const reply = await sim('say', 'yes', '--reply-to', said.id, '--seconds=0', '--json');
    expect(JSON.parse(reply.out).message.replyTo).toMatchObject({ messageId: said.id });
  });

  it('prints the file of a message, and of the trace', async () => {
    const { platform, sim } = await openSim();
    const data = Buffer.from('hello');
    const message = platform.sendMessage({
      attachments: [{ name: 'a b.txt', data, contentType: 'text/plain' }],
    });
    const id = message.attachments[0]?.id ?? '';
    expect((await sim('file', id)).out).toBe('hello');
    const json = {
      fileName: 'a b.txt',
      contentType: 'text/plain',
      base64: data.toString('base64'),
    };
    expect(JSON.parse((await sim('file', id, '--json')).out)).toEqual(json);
    expect(JSON.parse(JSON.stringify(await platform.act('file', { id })))).toEqual(json);
    expect(JSON.parse((await sim('export', 'har')).out)).toHaveProperty('log.version', '1.2');
  });

  it('sets faults by name, and by a file with its seed', async () => {
    const text = JSON.stringify({ seed: '7', rules: [RULE] });
    const { platform, sim } = await openSim({ 'faults.json': text });
    const names = () => platform.faults.rules.map(({ name }) => name);
    expect(await sim('faults', 'slow API', 'rate limited')).toMatchObject({ code: 0, err: '' });
    expect(names()).toContain('too many requests');
    expect(names().length).toBeGreaterThan(1);
    await sim('faults', '--off');
    expect(names()).toEqual([]);
    const { out } = await sim('faults', '--rules', '@faults.json', '--json');
    expect(JSON.parse(out)).toMatchObject({ seed: '7', rules: [{ ...RULE, hits: 0 }] });
  });

  it('saves, restores and deletes the world by name', async () => {
    const { platform, sim } = await openSim();
    const last = () => platform.messages().at(-1)?.content;
    platform.sendMessage({ content: 'before' });
    expect(JSON.parse((await sim('snapshot', 'save', 'one')).out)).toEqual({ names: ['one'] });
    platform.sendMessage({ content: 'after' });
    await sim('snapshot', 'restore', 'one');
    expect(last()).toBe('before');
    expect(JSON.parse((await sim('snapshot', 'delete', 'one')).out)).toEqual({ names: [] });
    expect(await sim('reset')).toMatchObject({ code: 0 });
    expect(last()).toContain('Welcome');
  });

  it('pauses and moves the clock', async () => {
    const { platform, sim } = await openSim();
    expect(JSON.parse((await sim('clock', 'pause')).out)).toMatchObject({ isPaused: true });
    expect(JSON.parse((await sim('clock', 'resume')).out)).toMatchObject({ isPaused: false });
    await sim('clock', 'skip', '15m');
    expect(platform.snapshot().clock.offsetMs).toBeGreaterThan(15 * 60_000 - 60_000);
    platform.upload({ name: 'a.txt', data: new Uint8Array(1) });
    expect(JSON.parse((await sim('clock', 'next')).out)).toMatchObject({ nextDeadline: null });
  });

  it('prints the answer of a command', async () => {
    const { platform, sim } = await openSim();
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
    const ended = sim('run', 'hello');
    platform.respond(await isAsked, 'over there');
    expect(await ended).toMatchObject({ code: 0, out: expect.stringContaining('over there\n') });
    expect(await sim('run', '/helo')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Did you mean /hello?'),
    });
  });

  it('changes the message that is named, not the last one', async () => {
    const { platform, sim } = await openSim();
    const { id } = platform.sendMessage({ content: 'one' });
    platform.sendMessage({ content: 'two' });
    await sim('edit', 'edited', id);
    const contents = platform.messages().map(({ content }) => content);
    expect(contents.slice(-2)).toEqual(['edited', 'two']);
  });

  it('sends a sample of an event, by the name of its file too', async () => {
    const { sim } = await openSim();
    const { out } = await sim('event', 'message-reaction-add', '--json');
    expect(JSON.parse(out)).toMatchObject({
      sockets: 0,
      payload: { emoji: { unicodeEmoji: '👍' } },
    });
  });

  it.each([
    [[], 'E_ARGUMENTS', 'needs an action'],
    [['fault'], 'E_ARGUMENTS', 'Did you mean `virgule sim faults`?'],
    [['toString'], 'E_ARGUMENTS', 'Run `virgule sim --help`'],
    [['say'], 'E_ARGUMENTS', '`virgule sim say` needs CONTENT'],
    [['say', 'hi', '--chanel', 'x'], 'E_ARGUMENTS', 'Did you mean --channel?'],
    [['say', 'hi', '--as', 'zoe'], 'E_SIM_REQUEST', 'Use a user of the simulator: ada'],
    [['say', 'hi', '--channel', 'x'], 'E_SIM_REQUEST', 'Use a channel of the simulator: general'],
    [['say', 'hi', '--seconds', 'soon'], 'E_ARGUMENTS', '--seconds'],
    [['delete', '--as', 'linus'], 'E_SIM_REQUEST', 'no message of linus in general'],
    [['delete', UNKNOWN_ID], 'E_SIM_REQUEST', `There is no message ${UNKNOWN_ID}`],
    [['react', 'thumb'], 'E_SIM_REQUEST', 'is not an emoji'],
    [['event', 'UNKNOWN'], 'E_SIM_REQUEST', 'There is no sample of UNKNOWN'],
    [['faults', 'bad weather'], 'E_SIM_REQUEST', '"bad day"'],
    [['faults', '--rules', '@none.json'], 'E_ARGUMENTS', 'ENOENT'],
    [['faults', '--rules', '@bad.json'], 'E_SIM_REQUEST', 'The faults are invalid: rules[0].on'],
    [['clock', 'next'], 'E_SIM_REQUEST', 'No interaction, upload or task has a deadline.'],
    [['clock', 'skip'], 'E_SIM_REQUEST', 'a duration such as 15m'],
    [['clock', 'rewind'], 'E_ARGUMENTS', 'takes one of pause, resume, skip, next as ACTION'],
    [['snapshot', 'save'], 'E_SIM_REQUEST', 'An action needs a name'],
    [['snapshot', 'restore', 'none'], 'E_SIM_REQUEST', 'There is no snapshot none.'],
    [['reset', 'all'], 'E_ARGUMENTS', 'flags only'],
    [
      ['channel', 'lobby'],
      'E_ARGUMENTS',
      '`virgule sim channel` takes an id as SERVERID, saw lobby.',
    ],
    [['channel', '--server-id', 'lobby'], 'E_ARGUMENTS', '--server-id takes an id, saw "lobby".'],
    [['role', '--member-ids', 'ada'], 'E_ARGUMENTS', '--member-ids takes ids, saw "ada".'],
  ])('refuses %j', async (argv, code, text) => {
    const { platform, sim } = await openSim({ 'bad.json': '{"rules":[{"name":"x"}]}' });
    platform.setFaults({ rules: [RULE] });
    const result = await sim(...argv);
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.err).toContain(`[${code}]`);
    expect(result.err).toContain(text);
    expect(platform.faults.rules).toEqual([{ ...RULE, hits: 0 }]);
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
    const { sim } = await openSim({}, `http://127.0.0.1:${port}`);
    const { code, err } = await sim('say', 'hi');
    expect(code).toBe(1);
    expect(err).toContain('[E_SIM_REQUEST]');
    expect(err).toContain(reason);
    expect(err).toContain('start `virgule dev` again');
  });
});

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

describe('virgule sim, without a running virgule dev', () => {
  async function alone(files: Readonly<Record<string, string>>, ...argv: string[]) {
    const project = await createTestProject(files);
    onTestFinished(() => project[Symbol.asyncDispose]());
    return simIn(project.root, ...argv);
  }

  it.each([
    [['say', 'hi'], 'MESSAGE_CREATE', 'data.content', 'MESSAGE_CREATE hi\n'],
    [['react', '🎉'], 'MESSAGE_REACTION_ADD', 'JSON.stringify(data.emoji)', '🎉'],
    [['run', '/hello'], 'MESSAGE_DELETE', `'gone'`, 'hello\n'],
  ])('starts a bot for %j, and prints what it wrote', async (argv, event, text, expected) => {
    const { code, out, err } = await alone({ ...BOT, ...listening(event, text) }, ...argv);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(expected);
  });

  it('says that the bot wrote nothing, or received nothing', async () => {
    const { out } = await alone({ 'commands/a.ts': answering('a') }, 'say', 'hi');
    expect(out).toMatch(/^No bot received it: /);
    const files = {
      'commands/a.ts': answering('a'),
      'events/voice-state-update.ts': `
        import { defineEvent } from 'virgule';
        export default defineEvent('VOICE_STATE_UPDATE', () => { console.log('heard'); });`,
    };
    // oxlint-disable-next-line virgule/outside-world -- it is what the bot of the test writes to.
    const received = vi.spyOn(console, 'log').mockImplementation(() => {});
    onTestFinished(() => received.mockRestore());
    expect(await alone(files, 'voice')).toEqual({
      code: 0,
      out: 'events/voice-state-update.ts may have handled it, and wrote no message.\n',
      err: '',
    });
    expect(received).toHaveBeenCalledWith('heard');
  });

  it('prints on standard error what the bot has to log', async () => {
    const files = {
      ...BOT,
      'events/message-create.ts': `
        import { defineEvent } from 'virgule';
        export default defineEvent('MESSAGE_CREATE', () => { throw new Error('not my day'); });`,
    };
    const { code, err } = await alone(files, 'say', 'hi');
    expect(code).toBe(0);
    expect(err).toContain('not my day');
    expect(err).not.toContain('"level"');
  });

  it.each([['world'], ['faults'], ['clock']])('needs it for %s', async (name) => {
    const { code, err } = await alone(BOT, name);
    expect(code).toBe(1);
    expect(err).toContain('[E_SIM_NOT_RUNNING]');
  });
});
