// A bot on the discord.js that is installed in the folder `BENCH_PEER`, with its defaults.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROLL, SEEN } from '../platform/sample-data.js';

/** The part of discord.js that is used here. The package is not installed in this workspace. */
interface DiscordJs {
  readonly Client: new (options: object) => DiscordClient;
  readonly GatewayIntentBits: Readonly<
    Record<'Guilds' | 'GuildMessages' | 'MessageContent', number>
  >;
}

interface DiscordClient {
  on(event: 'interactionCreate', listener: (interaction: Interaction) => void): void;
  on(event: 'messageCreate', listener: () => void): void;
  login(token: string): Promise<string>;
}

interface Interaction {
  readonly commandName: string;
  readonly options: { getInteger(name: string, required: true): number };
  isChatInputCommand(): boolean;
  reply(content: string): Promise<unknown>;
}

const { BOT_TOKEN = '', BOT_BASE_URL = '', BENCH_PEER = '' } = process.env;
// The interfaces above describe the installed version.
const { Client, GatewayIntentBits } = createRequire(join(BENCH_PEER, 'package.json'))(
  'discord.js',
) as DiscordJs;
const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;
const client = new Client({
  intents: [Guilds, GuildMessages, MessageContent],
  rest: { api: `${BOT_BASE_URL}/api` },
});

let messages = 0;
const commands = new Map<string, (interaction: Interaction) => string>([
  [
    ROLL,
    ({ options }) => {
      const sides = options.getInteger('sides', true);
      return `${sides * options.getInteger('count', true)} of ${sides}`;
    },
  ],
  [SEEN, () => String(messages)],
]);

client.on('interactionCreate', (interaction) => {
  const run = interaction.isChatInputCommand() && commands.get(interaction.commandName);
  if (run) void interaction.reply(run(interaction));
});
client.on('messageCreate', () => {
  messages += 1;
});
await client.login(BOT_TOKEN);
