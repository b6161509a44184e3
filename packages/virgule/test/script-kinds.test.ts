import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestBot } from '../src/testing/create-test-bot.js';
import { answering, createTestProject } from './test-project.js';

const CJS = `
module.exports = { description: 'CommonJS', run: () => 'from CommonJS' };
`;

async function botOf(files: Readonly<Record<string, string>>) {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const bot = await createTestBot({ root: project.root });
  onTestFinished(() => bot.close());
  return bot;
}

describe('a command', () => {
  it.each(['ts', 'mts', 'js', 'mjs', 'tsx', 'jsx'])('may be a .%s file', async (extension) => {
    const bot = await botOf({ [`commands/playNext.${extension}`]: answering(extension) });
    expect((await bot.run('/play-next')).content).toBe(extension);
  });

  it('may be plain exports in a .js file', async () => {
    const bot = await botOf({
      'commands/hi.js': `export const description = 'Hi';\nexport default () => 'plain';`,
    });
    expect((await bot.run('/hi')).content).toBe('plain');
  });

  it('may be a .cjs file', async () => {
    const bot = await botOf({ 'commands/hi.cjs': CJS });
    expect((await bot.run('/hi')).content).toBe('from CommonJS');
  });

  it('may be plain exports in a .cjs file', async () => {
    const bot = await botOf({
      'commands/hi.cjs': `exports.description = 'Hi';\nexports.default = () => 'plain CommonJS';`,
    });
    expect((await bot.run('/hi')).content).toBe('plain CommonJS');
  });

  // Newer versions of Node.js remove types themselves.
  it.skipIf('typescript' in process.features)(
    'may not be a .cts file, and that is said with what to do',
    async () => {
      const files = { 'commands/hi.cts': `export = { description: 'Hi', run: () => 'typed' };` };
      await expect(botOf(files)).rejects.toMatchObject({
        problems: [{ code: 'E_MODULE_THREW', hint: 'Rename it to .ts, .mts, .js, .mjs or .cjs.' }],
      });
    },
  );
});

describe('a channel that is typed by name', () => {
  const FILES = {
    'commands/where.ts': `
      import { defineCommand, option } from 'virgule';
      import * as z from 'zod';
      export default defineCommand({
        description: 'Where',
        options: z.object({ channel: option.channel() }),
        run: ({ options }) => \`\${options.channel} \${options.channel.id}\`,
      });`,
  };

  it('is found among the channels of the server', async () => {
    const bot = await botOf(FILES);
    const { channels } = bot.platform.snapshot();
    const channel = channels.find(({ name }) => name === 'general');
    for (const typed of ['#general', '#GENERAL', '"#general"']) {
      expect((await bot.run(`/where ${typed}`)).content).toBe(`<#${channel?.id}> ${channel?.id}`);
    }
  });

  it('is refused politely when there is none', async () => {
    const bot = await botOf(FILES);
    const { content, state } = await bot.run('/where #nowhere');
    expect(state).toBe('answered');
    expect(content).toBe(
      'channel: there is no channel #nowhere here that I can see; choose it from the list, or use its id, got "#nowhere". Usage: /where <channel>',
    );
  });

  it('is asked for once, and not for a mention', async () => {
    const bot = await botOf(FILES);
    const asked = () => bot.platform.counts.requests['servers.channels'];
    await bot.run('/where #general');
    expect(asked()).toBe(1);
    await bot.run('/where 00000000-0000-4000-8000-000000000001');
    expect(asked()).toBe(1);
  });
});
