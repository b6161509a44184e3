import { isVirguleError } from '@virgule/core/errors';
import type { SourcePlace } from './stack-traces.js';

/** Packages of other chat frameworks, whose clients and builders have no use in a bot of Virgule. */
export const OTHER_FRAMEWORKS =
  /^(?:discord(?:\.js|\.js-light|eno|x|-api-types|js)|@(?:discordjs|sapphire|discordx|buape|discordeno|slack|guildedjs|grammyjs)\/.+|eris|oceanic\.js|guilded\.js|revolt\.js|grammy|telegraf|koishi|botkit)$/;

const OPTIONS =
  'Options are plain values: declare options: z.object({ sides: z.int() }), and read options.sides.';
const FILES =
  "Send files with the answer: return { content: '…', files: [{ name: 'report.csv', data }] }.";
const COMPONENTS =
  'The platform has no embeds, buttons, menus or modals: ask with confirm(), waitForMessage(), reactions() or paginate().';
const CALLER =
  'The platform does not report who ran a command. See https://virgule.dev/guide/permissions for what a bot can know.';

/** What Virgule has in place of functions of the contexts and messages of other frameworks. */
const FUNCTIONS: readonly (readonly [names: RegExp, advice: string])[] = [
  [
    /^(?:editReply|editOriginal)$/,
    "Use edit('…') of the context, or yield each state of the answer.",
  ],
  [
    /^(?:deferReply|deferUpdate)$/,
    "Remove it: a slow command is deferred by itself. To show a text meanwhile, yield it first, or call reply('…').",
  ],
  [/^followUp$/, 'Use reply() again: after the answer it sends another message.'],
  [/^(?:fetchReply|deleteReply)$/, 'reply() returns the message: const sent = await reply(…).'],
  [
    /^get(?:String|Integer|Number|Boolean|User|Member|Channel|Role|Mentionable|Attachment)$/,
    OPTIONS,
  ],
  [/^getSubcommand(?:Group)?$/, 'Each subcommand is a file: commands/tag/add.ts is /tag-add.'],
  [
    /^(?:awaitMessages|createMessageCollector)$/,
    "Use waitForMessage({ within: '30s' }) of the context, with intents: ['SERVER_MESSAGES'].",
  ],
  [
    /^(?:awaitReactions|createReactionCollector)$/,
    "Use reactions(message, { within: '1m' }) of the context, with intents: ['MESSAGE_REACTIONS'].",
  ],
  [
    /^(?:awaitMessageComponent|createMessageComponentCollector|showModal|awaitModalSubmit)$/,
    COMPONENTS,
  ],
  [/^replyWith(?:Document|Photo|Audio|Video|Animation|Voice|MediaGroup)$/, FILES],
  [
    /^(?:play|joinVoiceChannel|createAudioPlayer|createAudioResource)$/,
    "Use voice of the context: const stream = await voice.stream(channelId, 'song.ogg').",
  ],
  [/^(?:replyWithChatAction|sendTyping)$/, 'Use here.typing() of the context.'],
];

/** The same for members of contexts that are not functions. */
const MEMBERS: Readonly<Record<string, string>> = {
  user: CALLER,
  member: CALLER,
  author: CALLER,
  from: CALLER,
  session: 'Use storage of the context: await storage.set(key, value).',
  match: OPTIONS,
  args: OPTIONS,
  guild: 'Use serverId and rest.servers of the context.',
  client: 'Use rest of the context for calls, and services for what handlers share.',
};

const CONTEXTS = /\b(?:ctx|context|interaction|inter|i|c)\s*\??\.\s*([\w$]+)\s*\??\.\s*$/;

/** Returns what to use in place of something of another framework that code has just used; `undefined` if it did not. */
export function adviceForThrow(
  error: unknown,
  { text, line, column }: SourcePlace,
): string | undefined {
  if (!(error instanceof TypeError) || isVirguleError(error)) return undefined;
  const called = /([\w$]+) is not a function$/.exec(error.message)?.[1];
  if (called !== undefined) return FUNCTIONS.find(([names]) => names.test(called))?.[1];
  if (!/^Cannot (?:read|set) properties of undefined /.test(error.message)) return undefined;
  const before = (text.split('\n', line).at(-1) ?? '').slice(0, column - 1);
  const member = CONTEXTS.exec(before)?.[1] ?? '';
  return Object.hasOwn(MEMBERS, member) ? MEMBERS[member] : undefined;
}

/** What Virgule has in place of the exports of other frameworks. */
const EXPORTS: readonly (readonly [names: RegExp, advice: string])[] = [
  [/^(?:InputFile|AttachmentBuilder|Attachment)$/, FILES],
  [/^Paginat(?:edMessage|ion)\w*$/, 'Use paginate(pages) of the context.'],
  [/^container$/, 'What handlers share is made by services.ts, and is services of the context.'],
  [/^(?:Command|SlashCommandBuilder|CommandWithSubcommands|Composer)$/, 'Use defineCommand.'],
  [/^(?:Listener|Events?)$/, 'Use defineEvent.'],
  [
    /^(?:Precondition|definePrecondition|guard)$/,
    'Use defineMiddleware in the _middleware.ts of a folder.',
  ],
  [
    /^(?:Bot|Client|SapphireClient)$/,
    'The bot needs no client: `virgule dev` and `virgule start` run the files.',
  ],
  [/^ApplicationCommandOptionType$/, OPTIONS],
  [
    /^(?:EmbedBuilder|ActionRowBuilder|ButtonBuilder|ButtonStyle|Button|Row|InlineKeyboard|ModalBuilder)$/,
    COMPONENTS,
  ],
  [/^z$/, "Write: import * as z from 'zod'."],
];

/** Returns what to use in place of an export of another framework. */
export const adviceForExport = (name: string): string | undefined =>
  EXPORTS.find(([names]) => names.test(name))?.[1];
