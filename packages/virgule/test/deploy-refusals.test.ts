import { startSimulator, type Simulator } from '@virgule/simulator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  answering as answer,
  openGate,
  type Act,
  type Gate,
} from '../../simulator/test/shared/gated-simulator.js';
import { run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject, type TestProject } from './test-project.js';

const refusal = (
  status: number,
  code: string,
  message: string,
  details: object = {},
  headers: Readonly<Record<string, string>> = {},
): Act => answer(status, { code, message, requestId: 'request-7', details }, headers);

describe('what the platform refuses', () => {
  let platform: Simulator;
  let project: TestProject;

  beforeEach(async () => {
    platform = await startSimulator();
    project = await createTestProject({
      'commands/hello.ts': answering('hello'),
      'commands/play.ts': `import { defineCommand } from 'virgule';
import * as z from 'zod';

export default defineCommand({
  description: 'Play a track',
  options: z.object({
    url: z.string().describe('Where it is'),
    loop: z.boolean().default(false).describe('Again and again'),
  }),
  run: () => 'ok',
});
`,
    });
  });
  afterEach(async () => {
    await platform.close();
    await project[Symbol.asyncDispose]();
  });

  async function deploy(gate: Gate) {
    const { baseUrl } = await openGate(platform, gate);
    const env = {
      BOT_TOKEN: platform.token,
      BOT_BASE_URL: baseUrl,
      BOT_GATEWAY_URL: platform.gatewayUrl,
    };
    const io = createTestIo({ cwd: project.root, env });
    const code = await run(['deploy', '--yes'], io);
    return { code, out: io.out, err: io.err };
  }
  const atPut = (act: Act): Gate => {
    return (line) => (line === 'PUT /commands' ? act : undefined);
  };

  it('is reported with the file of the command', async () => {
    const { code, err } = await deploy(
      atPut(
        refusal(400, 'bot_validation_error', 'The type is not supported.', {
          field: 'commands[1].options[1].type',
        }),
      ),
    );
    expect(code).toBe(1);
    expect(err).toContain(
      '[E_COMMAND_REFUSED] The platform refused /play, option "loop": The type is not supported.',
    );
    expect(err).toContain('at commands/play.ts');
    expect(err).toContain('Nothing was changed.');
  });

  it('is reported unchanged when it is about no command', async () => {
    const { code, err } = await deploy(
      atPut(refusal(400, 'bot_validation_error', 'Too many commands.')),
    );
    expect(code).toBe(1);
    expect(err).toContain('[E_API_REFUSED]');
    expect(err).toContain('Too many commands.');
  });

  it('reports that the token is refused, at each step', async () => {
    const { code, err } = await deploy(atPut(refusal(401, 'bot_unauthorized', 'no')));
    expect(code).toBe(1);
    expect(err).toContain('[E_UNAUTHORIZED]');
    expect(err).not.toContain(platform.token);
  });

  it('reports and waits out a rate limit, and gives up on a rate limit that is too long', async () => {
    let asked = 0;
    const short = await deploy((line) => {
      if (line !== 'PUT /commands') return undefined;
      asked += 1;
      return asked === 1
        ? refusal(429, 'bot_rate_limited', 'slow', {}, { 'retry-after': '1' })
        : undefined;
    });
    expect(short.code).toBe(0);
    expect(asked).toBe(2);
    expect(short.err).toBe('The platform asks to wait (rate limit): continuing in 1 s.\n');

    await project.write('commands/new.ts', answering('new'));
    const long = await deploy(
      atPut(refusal(429, 'bot_rate_limited', 'slow', {}, { 'retry-after': '600' })),
    );
    expect(long.code).toBe(1);
    expect(long.err).toContain('[E_RATE_LIMITED]');
    expect(long.err).toContain('600 s');
    expect(long.err).not.toContain('asks to wait');
  });
});
