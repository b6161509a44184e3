import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DISCORD_JS, installPeer } from '../peers/install-peer.js';
import { discordDialect } from '../platform/discord-dialect.js';
import { startFakePlatform } from '../platform/fake-platform.js';
import { startProcess } from '../rounds/child-process.js';
import { stringOf, type ReloadSubject } from './reload-subject.js';

const PACKAGES = ['@sapphire/framework@5.5.1', '@sapphire/plugin-hmr@3.0.2'] as const;

const BOT = `require('@sapphire/plugin-hmr/register');
const { ApplicationCommandRegistries, RegisterBehavior, SapphireClient } = require('@sapphire/framework');
const { GatewayIntentBits } = require('discord.js');

ApplicationCommandRegistries.setDefaultBehaviorWhenNotIdentical(RegisterBehavior.BulkOverwrite);
const client = new SapphireClient({
  baseUserDirectory: __dirname,
  intents: [GatewayIntentBits.Guilds],
  rest: { api: process.env.BOT_BASE_URL + '/api' },
  hmr: { silent: true },
});
client.login(process.env.BOT_TOKEN);
`;

const commandText = (
  name: string,
  text: string,
): string => `const { Command } = require('@sapphire/framework');

exports.default = class extends Command {
  constructor(context, options) {
    super(context, { ...options, name: '${name}', description: 'The command ${name}' });
  }
  registerApplicationCommands(registry) {
    registry.registerChatInputCommand((builder) => builder.setName(this.name).setDescription(this.description));
  }
  chatInputRun(interaction) {
    return interaction.reply(${JSON.stringify(text)});
  }
};
`;

/** Sapphire with its plugin for hot reload, on a fake of its platform. It reloads a command file, and no helper. */
export const sapphireDev: ReloadSubject = {
  name: 'Sapphire, plugin-hmr',
  edits: ['command'],
  async start(files) {
    const { folder, close } = await installPeer({
      packages: [`${DISCORD_JS.name}@${DISCORD_JS.version}`, ...PACKAGES],
    });
    mkdirSync(join(folder, 'commands'));
    const write = (name: string, text: string): void =>
      writeFileSync(join(folder, 'commands', `${name}.js`), commandText(name, text));
    for (let n = 0; n < files; n += 1) write(`c${n}`, 'first');
    writeFileSync(join(folder, 'bot.js'), BOT);
    const platform = await startFakePlatform(discordDialect);
    const bot = startProcess(join(folder, 'bot.js'), {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        BOT_TOKEN: 'bench-token-opens-nothing',
        BOT_BASE_URL: `http://127.0.0.1:${platform.port}`,
      },
      isAsked: false,
    });
    await Promise.race([platform.identified, bot.exited]);
    return {
      pid: bot.pid,
      save: (_edit, text) => write('c0', text),
      ask: async () => stringOf(await platform.ask('c0')),
      identifies: async () => platform.identifies,
      async close() {
        await bot.stop();
        platform.close();
        await close();
      },
    };
  },
};
