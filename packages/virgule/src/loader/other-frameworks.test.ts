import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { createTestBot } from '../testing/create-test-bot.js';
import { adviceForExport } from './other-frameworks.js';

/** Runs a handler, and returns the hint in the log about its failure. */
async function hintOf(body: string): Promise<unknown> {
  const project = await createTestProject({
    'commands/a.ts': `export default { description: 'Test', async run(interaction: any) { ${body} } };`,
  });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const hints: unknown[] = [];
  const error = (details: object): void => void hints.push((details as { hint?: string }).hint);
  const log = { debug() {}, info() {}, warn() {}, error };
  await using bot = await createTestBot({ root: project.root, log });
  await bot.run('/a');
  return hints[0];
}

describe('the hint about a failure', () => {
  it.each([
    [`await interaction.editReply('x')`, /edit\('…'\)/],
    [`await interaction.deferReply()`, /deferred by itself/],
    [`await interaction.followUp('x')`, /reply\(\) again/],
    [`interaction.options.getInteger('sides')`, /z\.object/],
    [`await interaction.channel.awaitMessages()`, /waitForMessage/],
    [`await (await interaction.reply('x')).awaitReactions({})`, /reactions\(message/],
    [`await interaction.replyWithDocument('x')`, /files: /],
    [`await interaction.voice.play('song.ogg')`, /voice\.stream\(channelId/],
    [`await interaction.reply(interaction.user.id)`, /does not report who/],
    [`interaction.session.count = 1`, /storage/],
    [`interaction.match.split(' ')`, /z\.object/],
    // Not of another framework.
    [`interaction.frobnicate()`, undefined],
    [`const row: any = {}; row.user.id`, undefined],
    [`throw new Error('editReply is not a function')`, undefined],
  ])('of %s', async (body, hint) => {
    const found = await hintOf(body);
    expect(hint === undefined ? found === undefined : hint.test(String(found))).toBe(true);
  });
});

describe('adviceForExport', () => {
  it.each([
    ['InputFile', /files: /],
    ['PaginatedMessage', /paginate/],
    ['container', /services\.ts/],
    ['SlashCommandBuilder', /defineCommand/],
    ['EmbedBuilder', /no embeds/],
    ['helper', /^$/],
  ])('knows %s', (name, advice) => {
    expect(adviceForExport(name) ?? '').toMatch(advice);
  });
});
