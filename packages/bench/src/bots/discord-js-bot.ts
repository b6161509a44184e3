import { createRequire } from 'node:module';
import { join } from 'node:path';
import { NO_TOKEN, type StartBot } from './bench-bot.js';

/** The part of discord.js that is used here. The package is not installed in this workspace. */
interface DiscordJs {
  readonly Client: new (options: object) => DiscordClient;
  readonly GatewayIntentBits: Readonly<
    Record<'Guilds' | 'GuildMessages' | 'MessageContent', number>
  >;
}

interface DiscordClient {
  once(event: 'clientReady', listener: () => void): void;
  on(event: 'interactionCreate', listener: (interaction: Interaction) => void): void;
  on(event: 'messageCreate', listener: (message: unknown) => void): void;
  login(token: string): Promise<string>;
  destroy(): Promise<void>;
}

interface Interaction {
  readonly commandName: string;
  readonly options: { getInteger(name: string, required: true): number };
  isChatInputCommand(): boolean;
  reply(content: string): Promise<unknown>;
}

/** Returns the bot on the discord.js that is installed in `folder`, with its defaults. */
export function discordJsBot(folder: string): StartBot {
  return async ({ port, token = NO_TOKEN, roll, onMessage }) => {
    // The interfaces above describe the installed version.
    const { Client, GatewayIntentBits } = createRequire(join(folder, 'package.json'))(
      'discord.js',
    ) as DiscordJs;
    const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;
    const client = new Client({
      intents: [Guilds, GuildMessages, MessageContent],
      rest: { api: `http://127.0.0.1:${port}/api` },
    });

    const commands = new Map([
      [
        'roll',
        (interaction: Interaction) => {
          const { options } = interaction;
          const content = roll(
            options.getInteger('sides', true),
            options.getInteger('count', true),
          );
          return interaction.reply(content);
        },
      ],
    ]);

    client.on('interactionCreate', (interaction) => {
      if (interaction.isChatInputCommand()) {
        void commands.get(interaction.commandName)?.(interaction);
      }
    });
    client.on('messageCreate', onMessage);
    const ready = new Promise<void>((resolve) => client.once('clientReady', () => resolve()));
    await client.login(token);
    await ready;
    return { close: () => client.destroy() };
  };
}
