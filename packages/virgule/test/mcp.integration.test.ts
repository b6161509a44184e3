import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startSimulator } from '@virgule/simulator';
import { SIM_ACTIONS } from '@virgule/simulator/control';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { BIN, startDev, type RunningDev } from './running-dev.js';
import { createTestProject } from './test-project.js';
import { until } from './until.js';

const FILES = {
  'commands/roll.ts': `
    import * as z from 'zod';
    export default {
      description: 'Roll',
      options: z.object({ sides: z.int().describe('Faces') }),
      run: async function* ({ options }) {
        yield 'rolling';
        yield 'rolled ' + options.sides;
      },
    };`,
  'commands/fail.ts': `
    export default {
      description: 'Fails',
      run() {
        console.log('on stdout');
        throw new Error('on purpose');
      },
    };`,
  'events/message-create.ts': `
    export default async ({ data, reply }) => {
      if (data.content === 'ping') await reply('pong');
    };`,
};

/** `virgule mcp` in a folder, and the SDK's own client of it. */
async function openClient(cwd: string, env: Readonly<Record<string, string>> = {}) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp'],
    cwd,
    // oxlint-disable-next-line virgule/outside-world -- a program of its own gets this one's environment.
    env: { ...(process.env as Record<string, string>), ...env },
  });
  await client.connect(transport);
  async function call(name: string, input: Record<string, unknown> = {}) {
    const { content, isError = false } = await client.callTool({ name, arguments: input });
    const [part] = content;
    const text = part?.type === 'text' ? part.text : expect.fail(`no text from ${name}`);
    return { isError, text };
  }
  return {
    client,
    call,
    // oxlint-disable-next-line typescript/no-explicit-any -- what a tool returns is checked by the expectations.
    async result(name: string, input?: Record<string, unknown>): Promise<any> {
      const { isError, text } = await call(name, input);
      expect([isError, text]).toEqual([false, text]);
      return JSON.parse(text);
    },
    close: () => client.close(),
  };
}

describe('virgule mcp, next to a running virgule dev', () => {
  let dev: RunningDev;
  let agent: Awaited<ReturnType<typeof openClient>>;
  beforeAll(async () => {
    dev = await startDev(FILES);
    agent = await openClient(dev.project.root);
  });
  afterAll(async () => {
    await agent.close();
    await dev[Symbol.asyncDispose]();
  });

  it('lists its tools, with instructions', async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...SIM_ACTIONS.map(({ name }) => name),
      'deploy_plan',
    ]);
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/\.$/);
      expect(inputSchema.type).toBe('object');
    }
    expect(agent.client.getInstructions()).toContain('virgule dev');
  });

  it('has the commands with options and files', async () => {
    expect((await agent.result('commands')).commands).toMatchObject([
      { name: 'fail', file: 'commands/fail.ts' },
      { name: 'roll', file: 'commands/roll.ts', options: [{ name: 'sides', type: 'integer' }] },
    ]);
  });

  it('runs a line, and returns the answer with its edits and every request', async () => {
    const ran = await agent.result('run', { line: '/roll 20', as: 'grace' });
    expect(ran).toMatchObject({
      interaction: { state: 'answered' },
      replies: [{ authorUsername: 'demo-bot', content: 'rolled 20' }],
    });
    const what = ran.trace.map((row: { what: string }) => row.what).join('\n');
    expect(what).toMatch(
      /APPLICATION_COMMAND \/roll 20[^]*POST .*\/response[^]*PATCH .*\/response/,
    );
    const { id, trace } = ran;
    expect((await agent.result('follow', { id })).trace).toHaveLength(trace.length);
    const answer = trace.find((row: { what: string }) => row.what.endsWith('/response'));
    expect(JSON.stringify(await agent.result('detail', { row: answer.id }))).toContain('rolling');
    expect((await agent.result('messages', { limit: 1 })).messages[0].content).toBe('rolled 20');
  });

  it('returns an error with the place and the source code', async () => {
    const ran = await agent.result('run', { line: '/fail' });
    expect(ran).toMatchObject({ interaction: { failure: { message: 'on purpose' } } });
    const error = ran.trace.find((row: { isError?: boolean }) => row.isError);
    expect(JSON.stringify(error)).toContain('commands/fail.ts');
    expect(error.details['Source code']).toContain("throw new Error('on purpose')");
    const logs = await agent.result('logs', { errors: true });
    expect(JSON.stringify(logs)).toContain('on purpose');
  });

  it('acts as users: says, reacts, attaches, edits', async () => {
    const said = await agent.result('say', { content: 'ping', as: 'linus' });
    expect(said.replies).toMatchObject([{ content: 'pong' }]);
    await agent.result('react', { emoji: '🎉', message: said.id });
    await agent.result('edit', {
      as: 'linus',
      message: said.id,
      content: 'edited',
      seconds: 0,
    });
    const { objectKey } = await agent.result('attach', { name: 'a.txt', text: 'hello' });
    await agent.result('say', { content: 'a file', attachments: [objectKey], seconds: 0 });
    const { messages } = await agent.result('messages');
    expect(messages).toContainEqual(
      expect.objectContaining({
        authorUsername: 'linus',
        content: 'edited',
        reactions: [expect.objectContaining({ count: 1 })],
      }),
    );
    expect(messages.at(-1)).toMatchObject({ attachments: [{ fileName: 'a.txt', size: 5 }] });
    const { url } = await agent.result('attach', { name: 'b.txt', text: 'option' });
    expect(await (await fetch(url)).text()).toBe('option');
  });

  it('sets faults, ends them and resets the world', async () => {
    await agent.result('faults', { presets: ['lost answers'] });
    expect((await agent.result('faults')).rules).toHaveLength(1);
    expect((await agent.result('faults', { rules: [] })).rules).toEqual([]);
    await agent.result('say', { content: 'gone soon', seconds: 0 });
    await agent.result('reset');
    const messages = await agent.result('messages');
    expect(JSON.stringify(messages)).not.toContain('gone soon');
    expect((await agent.result('problems')).bot.connected).toBe(true);
  });

  it('moves the clock of the world', async () => {
    expect(await agent.result('clock')).toMatchObject({ isPaused: false });
    const { now: before } = await agent.result('clock', { action: 'pause' });
    const { now: after } = await agent.result('clock', { action: 'skip', time: '1h' });
    expect(Date.parse(after) - Date.parse(before)).toBe(3_600_000);
    await agent.result('clock', { action: 'resume' });
    const { isError, text } = await agent.call('clock', { action: 'next' });
    expect([isError, text]).toEqual([
      true,
      expect.stringContaining('No interaction, upload or task'),
    ]);
  });

  it('leaves out bodies that an agent could not read', async () => {
    const said = await agent.result('say', { content: 'x'.repeat(2_000), seconds: 0 });
    const text = JSON.stringify(said);
    expect(text).toContain('…');
    expect(text.length).toBeLessThan(32_000);
  });

  it('reports problems of an edit, and that they are fixed', async () => {
    await dev.project.write('commands/roll.ts', 'export default {');
    await until(async () => {
      const { problems } = await agent.result('problems');
      expect(problems).toMatchObject([{ code: 'E_SYNTAX', where: 'commands/roll.ts:1:17' }]);
    });
    await dev.project.write('commands/roll.ts', FILES['commands/roll.ts']);
    await until(async () => expect((await agent.result('problems')).problems).toEqual([]));
  });

  it.each([
    ['run', { line: '/none' }, 'No registered command matches'],
    ['run', { line: '/roll 20', as: 'nobody' }, 'Use a user of the simulator: ada'],
    ['messages', { channel: 'none' }, 'Use a channel of the simulator: general'],
    ['faults', { presets: ['bad weather'] }, '"bad day"'],
    ['messages', { limit: 'many' }, 'limit'],
    ['clock', { by: '2h' }, 'Unrecognized key: "by"'],
  ])('%s %j is refused in words', async (name, input, words) => {
    const { isError, text } = await agent.call(name, input);
    expect(isError).toBe(true);
    expect(text).toContain(words);
  });
});

describe('virgule mcp, alone', () => {
  it('says to start virgule dev, and plans a deploy without it', async () => {
    const platform = await startSimulator();
    onTestFinished(() => platform.close());
    const project = await createTestProject(FILES);
    onTestFinished(() => project[Symbol.asyncDispose]());
    const { baseUrl, gatewayUrl, token } = platform;
    await writeFile(
      join(project.root, '.env'),
      `BOT_TOKEN=${token}\nBOT_BASE_URL=${baseUrl}\nBOT_GATEWAY_URL=${gatewayUrl}\n`,
    );
    const agent = await openClient(project.root);
    onTestFinished(() => agent.close());
    const { isError, text } = await agent.call('problems');
    expect([isError, text]).toEqual([true, expect.stringContaining('E_SIM_NOT_RUNNING')]);
    expect(await agent.result('deploy_plan')).toMatchObject({
      result: 'planned',
      add: [{ name: 'fail' }, { name: 'roll' }],
    });
    expect(platform.counts.requests['commands.replace']).toBe(0);
    await project.write('commands/exits.ts', "console.log('noise'); process.exit(7);");
    const ended = await agent.call('deploy_plan');
    expect(ended.isError).toBe(true);
    expect(ended.text).toContain('commands/exits.ts ended the process with exit code 7.');
    expect((await agent.call('problems')).text).toContain('E_SIM_NOT_RUNNING');
  });
});

it('the documentation is next to the code of the package', async () => {
  const page = new URL('../dist/docs/guide/commands.md', import.meta.url);
  expect(await readFile(page, 'utf8')).toContain('# Commands');
});
