import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { createTestBot } from '../testing/create-test-bot.js';
import { adviceForExport } from './other-frameworks.js';

/** Runs a handler of a command and one of a message, and returns the hint in the log about the failure. */
async function hintOf({ body = '', event = '' }): Promise<unknown> {
  const project = await createTestProject({
    'commands/a.ts': `export default { description: 'Test', async run(interaction: any) { ${body} } };`,
    'events/message-create.ts': `export default async (message: any) => { ${event} };`,
  });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const hints: unknown[] = [];
  const error = (details: object): void => void hints.push((details as { hint?: string }).hint);
  const log = { debug() {}, info() {}, warn() {}, error };
  await using bot = await createTestBot({ root: project.root, log });
  await bot.run('/a');
  await bot.say('hi');
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
    [`return interaction.guild!.name`, /serverId/],
    [`interaction.session.count = 1`, /storage/],
    [`interaction.session.count++`, /storage/],
    [`const { name } = interaction.guild; return name`, /serverId/],
    [`interaction.match.split(' ')`, /z\.object/],
    [`await interaction.channel.send('x')`, /here\.send\('…'\)/],
    [`await interaction.editMessageText('x')`, /edit\('…'\)/],
    [`await interaction.say('x')`, /reply\('…'\)/],
    [`await interaction.react('👍')`, /rest\.reactions\.add/],
    [`await interaction.api.sendMessage(1, 'x')`, /Use rest/],
    [`await interaction.reply(interaction.message.text)`, /raw\.rawInput/],
    [`await interaction.conversation.enter('x')`, /waitForMessage/],
    [`interaction.logger.info('x')`, /Use log/],
    [`this.container.logger.info('x')`, /services\.ts/],
    [`if (interaction.memberPermissions.has('x')) return 'x'`, /does not report who/],
    // Not of another framework.
    [`interaction.frobnicate()`, undefined],
    [`const row: any = {}; row.user.id`, undefined],
    [`throw new Error('editReply is not a function')`, undefined],
  ])('of %s', async (body, hint) => {
    const found = await hintOf({ body });
    expect(hint === undefined ? found === undefined : hint.test(String(found))).toBe(true);
  });

  it.each([
    [`if (message.author.bot) return;`, /data\.content/],
    [`if (message.content.startsWith('!')) return;`, /data\.content/],
    [`await message.data.reply('pong')`, /reply\('…'\)/],
    [`await message.react('👍')`, /rest\.reactions\.add/],
    [`await message.channel.send('x')`, /here\.send\('…'\)/],
  ])('of %s, in an event', async (event, hint) => {
    expect(await hintOf({ event })).toMatch(hint);
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
