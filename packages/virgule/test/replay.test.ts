// A record of a run that waited for users replays their answers.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '@virgule/core/errors';
import type { FailedRecord } from '@virgule/runtime/project';
import { expect, it, onTestFinished } from 'vitest';
import { createTestBot, type TestBot } from '../src/testing.js';
import { createTestProject } from './test-project.js';

const filesOf = (isFixed: boolean): Readonly<Record<string, string>> => ({
  'virgule.config.ts': `export default { failed: { text: 'keep' } };`,
  'commands/quiz.ts': `
    export default {
      description: 'Quiz', intents: ['SERVER_MESSAGES'],
      async run({ waitForMessage, reply, log }) {
        await reply('How many?');
        const answer = await waitForMessage({ from: 'anyone', within: '1m' });
        if (!answer) throw new Error('no answer');
        if (!${isFixed} && answer.content === 'zero') throw new RangeError('zero of 0');
        return 'ok';
      },
    };`,
  'commands/sure.ts': `
    export default {
      description: 'Sure', intents: ['MESSAGE_REACTIONS'],
      async run({ confirm }) {
        const isSure = await confirm('Sure?', { within: '1m' });
        if (!${isFixed} && isSure) throw new TypeError('was sure');
        return 'ok';
      },
    };`,
  'commands/dump.ts': `
    export default {
      description: 'Dump',
      run: async ({ storage, services }) => {
        services.dump(await storage.list('virgule:failed:'));
        return 'ok';
      },
    };`,
});

async function projectOf(isFixed: boolean): Promise<string> {
  const project = await createTestProject(filesOf(isFixed));
  onTestFinished(() => project[Symbol.asyncDispose]());
  return project.root;
}

it.each<[string, string, (bot: TestBot) => Promise<unknown>]>([
  ['/quiz', 'zero of 0', (bot) => bot.as('grace').say('zero')],
  ['/sure', 'was sure', (bot) => bot.as('grace').react('✅')],
])('replays the answers of users to %s', async (line, message, answer) => {
  const root = await projectOf(false);
  let found: readonly { readonly value: FailedRecord }[] = [];
  await using bot = await createTestBot({
    root,
    strict: false,
    services: { dump: (list: typeof found) => void (found = list) },
  });
  const running = bot.run(line);
  await bot.idle();
  await answer(bot);
  expect(errorText((await running).error)).toContain(message);
  await bot.idle();
  await bot.run('/dump');
  const file = join(root, 'record.json');
  await writeFile(file, JSON.stringify(found[0]?.value));
  const outcomes = [];
  for (const each of [root, await projectOf(true)]) {
    await using again = await createTestBot({ root: each, failed: file });
    const { error, result } = await again.replay();
    outcomes.push(error === undefined ? result : errorText(error));
  }
  expect(outcomes).toEqual([message, 'ok']);
});

it.each([
  ['no record', '{"v":1}'],
  ['no frame of the run', '{"v":1,"frames":[],"frame":5,"storage":[],"rest":[],"random":[]}'],
])('refuses a file with %s', async (_, text) => {
  const root = await projectOf(true);
  const failed = join(root, 'record.json');
  await writeFile(failed, text);
  await expect(async () => createTestBot({ root, failed })).rejects.toThrow('is no record');
});
