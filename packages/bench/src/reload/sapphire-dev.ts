import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
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

/** Size of each command file. */
const FILE_BYTES = 1_000;

/** Overwrites a file without truncating it first: the plugin drops an edit if it reads an empty file. */
function overwrite(file: string, text: string): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, text);
  closeSync(descriptor);
}

/** Sapphire with its plugin for hot reload, on a fake of its platform. It reloads a command file, and no helper. */
export const sapphireDev: ReloadSubject = {
  name: 'Sapphire, plugin-hmr',
  edits: ['command'],
  async start(files) {
    const { folder, close } = await installPeer({
      packages: [`${DISCORD_JS.name}@${DISCORD_JS.version}`, ...PACKAGES],
    });
    mkdirSync(join(folder, 'commands'));
    const fileOf = (name: string): string => join(folder, 'commands', `${name}.js`);
    for (let n = 0; n < files; n += 1)
      writeFileSync(fileOf(`c${n}`), commandText(`c${n}`, 'first').padEnd(FILE_BYTES));
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
      save: (_edit, text) => overwrite(fileOf('c0'), commandText('c0', text).padEnd(FILE_BYTES)),
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
