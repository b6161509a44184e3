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
const MESSAGE =
  'The message of an event is data of its context: ({ data }) => …, with data.content and data.authorId. Messages of the bot itself are left out.';
const LOG = "Use log of the context: log.info('…').";

/** What Virgule has in place of functions of the contexts and messages of other frameworks. */
const FUNCTIONS: readonly (readonly [names: RegExp, advice: string])[] = [
  [
    /^(?:editReply|editOriginal|editMessageText)$/,
    "Use edit('…') of the context, or yield each state of the answer.",
  ],
  [
    /^(?:deferReply|deferUpdate)$/,
    "Remove it: a slow command is deferred by itself. To show a text meanwhile, yield it first, or call reply('…').",
  ],
  [/^(?:say|respond)$/, "Return the answer, or use reply('…')."],
  [/^reply$/, "Use reply('…') of the context: a message has none."],
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
  [
    /\bchannel\.send$/,
    "Use here.send('…') for the channel that this is about, or channel(id).send('…') for another one.",
  ],
  [
    /^react$/,
    "Use rest.reactions.add(channelId, messageId, { unicodeEmoji: '👍' }), or react('👍') of what reply() returned.",
  ],
];

/** The same for members of contexts that are not functions. */
const MEMBERS: Readonly<Record<string, string>> = {
  user: CALLER,
  member: CALLER,
  memberPermissions: CALLER,
  author: CALLER,
  from: CALLER,
  userId: CALLER,
  session: 'Use storage of the context: await storage.set(key, value).',
  conversation: "Use waitForMessage({ within: '30s' }) or confirm('…') of the context.",
  match: OPTIONS,
  args: OPTIONS,
  message: 'What a user typed is in options; the whole line is raw.rawInput.',
  logger: LOG,
  container: 'Use services of the context, which services.ts makes.',
  guild: 'Use serverId and rest.servers of the context.',
  api: 'Use rest of the context for calls, or reply() and here.send().',
  client: 'Use rest of the context for calls, and services for what handlers share.',
};

/** A member of something that is called like a context, or like the message of an event. */
const MEMBER =
  /\b(?:(?:ctx|context|interaction|inter|i|c)[!?]?\.([\w$]+)|this\.(container)|(?:message|msg)[!?]?\.(author|content|member|guild))\b(?:[!?]?\.([\w$]+))?/g;

/** Returns what to use in place of something of another framework that code has just used; `undefined` if it did not. */
export function adviceForThrow(error: unknown, { text, line }: SourcePlace): string | undefined {
  if (!(error instanceof TypeError) || isVirguleError(error)) return undefined;
  const callee = /([\w$.]+) is not a function$/.exec(error.message)?.[1];
  if (callee !== undefined) {
    const called = callee.slice(callee.lastIndexOf('.') + 1);
    return FUNCTIONS.find(([names]) => names.test(called) || names.test(callee))?.[1];
  }
  const missing = /^Cannot (?:read|set) properties of undefined \(\w+ '(.+)'\)$/.exec(
    error.message,
  );
  const destructured = /of '(.+)' as it is undefined\.$/.exec(error.message)?.[1];
  if (!missing && destructured === undefined) return undefined;
  const code = destructured ?? text.split('\n', line).at(-1) ?? '';
  for (const [, ofContext, ofThis, ofMessage, property] of code.matchAll(MEMBER)) {
    if (property !== missing?.[1]) continue;
    if (ofMessage !== undefined) return MESSAGE;
    const member = ofContext ?? ofThis ?? '';
    if (Object.hasOwn(MEMBERS, member)) return MEMBERS[member];
  }
  return undefined;
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
