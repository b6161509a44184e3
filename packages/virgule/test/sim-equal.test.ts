// Each action has the same result over HTTP, on the command line, for agents and in a test.
import { createFakeClock } from '@virgule/core/clock';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { SIM_ACTIONS } from '@virgule/simulator/control';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createMcpServer } from '../src/mcp/create-mcp-server.js';
import type { Mcp } from '../src/mcp/create-mcp-server.js';
import { requestAction } from '../src/sim/sim-client.js';
import { lockState } from '../src/state/state-lock.js';
import { createTestIo } from './test-io.js';
import { createTestProject } from './test-project.js';

type Input = Readonly<Record<string, string | number | boolean | object>>;

/** An input of each action, in a world with a command, a message with a file, and an open interaction. */
const INPUTS: Readonly<Record<string, (world: Prepared) => Input>> = {
  run: () => ({ line: '/hello "a b"', as: 'grace', seconds: 0 }),
  say: ({ messageId }) => ({ content: '--not a flag', replyTo: messageId, seconds: 0 }),
  edit: () => ({ content: 'it is "quoted"', seconds: 0 }),
  delete: () => ({ seconds: 0 }),
  react: ({ messageId }) => ({ emoji: '🎉', message: messageId, as: 'grace', seconds: 0 }),
  voice: () => ({ channel: 'Lounge', seconds: 0 }),
  attach: () => ({ name: 'b.txt', text: 'one\ntwo', contentType: 'text/plain' }),
  event: () => ({ event: 'MESSAGE_DELETE', payload: { any: ['thing', 1] } }),
  drop: () => ({ code: 1012 }),
  expire: ({ interactionId }) => ({ id: interactionId }),
  faults: () => ({ presets: ['rate limited'], seed: '7' }),
  clock: () => ({ action: 'skip', time: '1m' }),
  reset: () => ({}),
  snapshot: () => ({ action: 'save', name: 'one' }),
  conversation: () => ({ name: 'tea', text: '#general\nada: /remind tea\n+2h\n' }),
  user: () => ({ username: 'zoe', role: 'guest' }),
  bot: () => ({ username: 'music' }),
  server: () => ({ name: 'New' }),
  channel: ({ serverId }) => ({ serverId, name: 'new', kind: 'voice' }),
  role: ({ serverId }) => ({ serverId, name: 'tester' }),
  world: () => ({}),
  messages: () => ({ channel: 'long-history', limit: 3 }),
  follow: ({ messageId }) => ({ id: messageId, seconds: 0 }),
  state: () => ({}),
  trace: () => ({ after: 1, limit: 2 }),
  detail: () => ({ row: 1 }),
  export: () => ({ format: 'jsonl' }),
  file: ({ fileId }) => ({ id: fileId }),
  audio: () => ({ channel: 'Lounge' }),
  problems: () => ({}),
  logs: () => ({ errors: true }),
  commands: () => ({}),
  source: () => ({ command: 'hello' }),
  tasks: () => ({}),
  task: () => ({ action: 'run', name: 'digest', payload: { text: 'tea' } }),
  storage: () => ({ prefix: 'poll:' }),
  entry: () => ({ key: 'poll:1', value: { votes: [1] } }),
};

interface Prepared {
  readonly messageId: string;
  readonly fileId: string;
  readonly serverId: string;
  readonly interactionId: string;
}

/** Starts a simulator whose ids and times are those of every other one. */
async function open(): Promise<{ readonly platform: Simulator; readonly world: Prepared }> {
  const platform = await startSimulator({ clock: createFakeClock(), pageDir: null, port: 0 });
  onTestFinished(() => platform.close());
  platform.answerWith(async (question) => ({ value: [{ ...question, runs: [] }] }));
  const headers = { authorization: `Bot ${platform.token}`, host: '127.0.0.1' };
  const commands = [{ name: 'hello', description: 'Hello', options: [] }];
  await platform.request({
    method: 'PUT',
    path: '/api/bot/v1/commands',
    headers,
    body: Buffer.from(JSON.stringify({ commands })),
  });
  const data = Buffer.from('hello');
  const { id, attachments } = platform.sendMessage({ attachments: [{ name: 'a.txt', data }] });
  platform.logged(JSON.stringify({ level: 50, msg: 'failed', interactionId: id }));
  return {
    platform,
    world: {
      messageId: id,
      fileId: attachments[0]?.id ?? '',
      serverId: platform.snapshot().servers[0]?.id ?? '',
      interactionId: platform.run({ rawInput: '/hello' }).id,
    },
  };
}

/** Flags of an input. */
const flagsOf = (input: Input): string[] =>
  Object.entries(input).map(([key, value]) => {
    const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return `${flag}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });

async function byCommandLine(platform: Simulator, name: string, input: Input): Promise<unknown> {
  const project = await createTestProject({});
  onTestFinished(() => project[Symbol.asyncDispose]());
  using lock = lockState({ root: project.root });
  lock.announce(platform.baseUrl);
  const io = createTestIo({ cwd: project.root });
  expect([await run(['sim', name, ...flagsOf(input), '--json'], io), io.err]).toEqual([0, '']);
  return JSON.parse(io.out);
}

async function byAgent(platform: Simulator, name: string, input: Input): Promise<unknown> {
  const texts: string[] = [];
  const calls: Promise<void>[] = [];
  class McpServer {
    registerTool(
      tool: string,
      _about: object,
      handler: (value: unknown) => Promise<{ content: readonly { text: string }[] }>,
    ): void {
      if (tool === name)
        calls.push(handler(input).then(({ content }) => void texts.push(content[0]?.text ?? '')));
    }
  }
  createMcpServer(
    // The part of the SDK that it uses.
    { McpServer, fromJsonSchema: () => ({}) } as unknown as Mcp,
    {
      act: (action, values) => requestAction(platform.baseUrl, action, values),
      planDeploy: async () => ({}),
    },
    (text) => text,
  );
  await Promise.all(calls);
  return JSON.parse(texts[0] ?? '');
}

/** Returns JSON without what differs between two simulators: their ports. */
const comparable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/127\.0\.0\.1:\d+/g, 'simulator'));

it.each(SIM_ACTIONS.map(({ name }) => name))('%s', async (name) => {
  const inputOf = INPUTS[name];
  if (inputOf === undefined) throw new Error(`INPUTS has no ${name}.`);
  const ways = [
    (platform: Simulator, input: Input) => platform.act(name, input),
    (platform: Simulator, input: Input) => requestAction(platform.baseUrl, name, input),
    (platform: Simulator, input: Input) => byCommandLine(platform, name, input),
    (platform: Simulator, input: Input) => byAgent(platform, name, input),
  ];
  const results = [];
  for (const way of ways) {
    const { platform, world } = await open();
    results.push(comparable(await way(platform, inputOf(world))));
  }
  for (const result of results) expect(result).toEqual(results[0]);
});
