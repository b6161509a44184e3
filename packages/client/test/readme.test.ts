import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as gatewayEntry from '@virgule/client/gateway';
import * as restEntry from '@virgule/client/rest';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from './eventually.js';

const entries: Readonly<Record<string, object>> = {
  '@virgule/client/gateway': gatewayEntry,
  '@virgule/client/rest': restEntry,
};

/** Objects that the bot of the README creates. */
interface Made {
  readonly rest: restEntry.Rest;
  readonly gateway: gatewayEntry.Gateway;
}

async function readmeCode(): Promise<string> {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const code = /^```ts\n(.*?)^```$/ms.exec(readme)?.[1];
  if (code === undefined) throw new Error('The README has no block of TypeScript.');
  return code;
}

/** Runs the code as a module would run, with this environment and with the sources of this package. */
async function runCode(code: string, env: Record<string, string>): Promise<Made> {
  const body = code
    .replace(', type ApplicationCommandEvent', '')
    .replace(': ApplicationCommandEvent', '')
    .replaceAll(/^import (\{.*\}) from ('.*');$/gm, 'const $1 = entries[$2];');
  // The constructor of async functions has no name of its own.
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const run = new AsyncFunction('entries', 'process', `${body}\nreturn { rest, gateway };`);
  const made: Made = await run(entries, { env });
  onTestFinished(async () => {
    await made.gateway.close();
    await made.rest.close();
  });
  return made;
}

async function inFolderWith(fileName: string, bytes: Uint8Array): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'virgule-readme-'));
  await writeFile(join(folder, fileName), bytes);
  const home = process.cwd();
  process.chdir(folder);
  onTestFinished(async () => {
    process.chdir(home);
    await rm(folder, { recursive: true });
  });
}

describe('the bot of the README', () => {
  it('is the file whose types are checked', async () => {
    const file = await readFile(new URL('readme-bot.ts', import.meta.url), 'utf8');
    expect(await readmeCode()).toBe(file);
  });

  it('has no more than 20 lines of code', async () => {
    const lines = (await readmeCode()).split('\n').filter((line) => line !== '');
    expect(lines.length).toBeLessThanOrEqual(20);
  });

  it('connects, answers its command and sends a file', async () => {
    const simulator = await startSimulator({ pageDir: null });
    onTestFinished(() => simulator.close());
    const cat = Buffer.from('not much of a cat');
    await inFolderWith('cat.png', cat);
    await runCode(await readmeCode(), {
      BOT_TOKEN: simulator.token,
      BOT_BASE_URL: simulator.baseUrl,
      BOT_GATEWAY_URL: simulator.gatewayUrl,
    });
    const { id } = simulator.run({ rawInput: '/cat' });
    await eventually(() => {
      expect(simulator.interaction(id)?.state).toBe('answered');
      const [answer, message] = simulator.messages().slice(-2);
      expect(answer).toMatchObject({ content: 'Here it comes.', interactionId: id });
      expect(message).toMatchObject({
        content: 'A cat',
        attachments: [{ fileName: 'cat.png', contentType: 'image/png', size: cat.length }],
      });
    });
  });
});
