import { authorOrThrow } from '../define/require-author.js';
import type { CommandRun } from './command-run.js';
import type { Waiter } from '../waits/listener.js';
import { confirm, paginate, reactions, waitForMessage } from '../waits/wait-calls.js';
import type { CallParent } from '../context/call.js';
import { channelsOf, createChannel } from '../context/channel-handle.js';
import type { CommandContext } from '../context/command-context.js';
import { contextsOf, HANDLER_MEMBERS } from '../context/context-members.js';
import { createContextLog } from '../context/context-log.js';
import {
  editedText,
  toParts,
  type EditInput,
  type MessageInput,
  type SentMessage,
} from '../answer/answer.js';
import { sentPage, TextAppender } from '../answer/append-text.js';
import { deliver } from './write-answer.js';
import { WatchedPromise } from '../context/watched-promise.js';
import { Sent, type Written } from '../answer/sent-message.js';

const createContext = contextsOf<CommandRun, CommandContext>({
  ...HANDLER_MEMBERS,
  options: (run) => run.options,
  reply: (run) => (input) => reply(run, input),
  edit: (run) => (input) => edit(run, input),
  append: (run) => (source) =>
    act(run, () => {
      run.appender ??= createAppender(run);
      return run.interaction.messages.prepare(run.appender.append(source));
    }),
  confirm: (run) => (question, options) =>
    act(run, () => confirm(question, options, waiterOf(run))),
  waitForMessage: (run) => (options) => act(run, () => waitForMessage(options, waiterOf(run))),
  reactions: (run) => (message, options) => reactions(message, options, waiterOf(run)),
  paginate: (run) => (pages, options) => act(run, () => paginate(pages, options, waiterOf(run))),
  defer: (run) => () => act(run, () => run.interaction.defer()),
  here: (run) =>
    (run.here ??= createChannel(run.event.channelId, run.env, run.lifetime, sendingOf(run))),
  channel: (run) => channelsOf(run.env, run.lifetime, sendingOf(run)),
  commandName: ({ event }) => event.name,
  caller: ({ init }) => init.caller ?? 'slash',
  call: (run) => run.env.calls(parentOf(run)).call,
  tools: (run) => run.env.calls(parentOf(run)).tools,
  author: ({ author }) => author,
  meta: ({ command }) => command.meta,
  commands: ({ env }) => env.commands(),
  interactionId: ({ event }) => event.interactionId,
  serverId: ({ event }) => event.serverId,
  channelId: ({ event }) => event.channelId,
  raw: ({ event }) => event,
  locals: (run) => (run.locals ??= {}),
  log: ({ env, event }) => createContextLog(env.log, event),
});

/** Returns the context of a run. The context is created on first use. */
export const contextOf = (run: CommandRun): CommandContext => (run.context ??= createContext(run));

const sendingOf = (run: CommandRun) => ({
  owner: `/${run.command.name}`,
  run: { atEnd: (note: () => void) => run.atEnd(note) },
});

const parentOf = (run: CommandRun): CallParent => ({
  place: run.event,
  around: [...(run.init.around ?? []), run.command.name],
  caller: run.init.caller,
  authorId: run.author?.id ?? run.init.authorId,
  get signal() {
    return run.lifetime.signal;
  },
});

function waiterOf(run: CommandRun): Waiter {
  const { command, env, event, lifetime, interaction } = run;
  const ask: Waiter['reply'] = async (input) => {
    const sent = await reply(run, input);
    interaction.remember('answer');
    return sent;
  };
  const { channelId } = event;
  const { signal } = lifetime;
  const authorId = (): string => authorOrThrow(contextOf(run)).id;
  const owner = `/${command.name}`;
  return { env, owner, handler: command, channelId, authorId, signal, reply: ask };
}

/** Makes a call for the handler, unless the final reply was sent in its place. */
function act<T>(run: CommandRun, call: () => Promise<T>): Promise<T> {
  const promise = run.sealed ? Promise.reject(run.sealed.error) : call();
  return WatchedPromise.watch(promise, (error, watched) => run.failed(error, watched));
}

function reply(run: CommandRun, input: MessageInput): Promise<SentMessage> {
  run.speaking();
  return act(run, async () => sentOf(run, await deliver('reply', toParts(input), run)));
}

function edit(run: CommandRun, input: EditInput): Promise<void> {
  run.speaking();
  return act(run, async () => {
    await run.interaction.write({ content: editedText(input) });
  });
}

function sentOf(run: CommandRun, { answer, isAnswer, content, held }: Written): SentMessage {
  const { env, event, interaction } = run;
  return new Sent({
    rest: env.rest,
    channelId: event.channelId,
    content,
    known: answer.message(),
    ...(isAnswer && {
      edit: (text) =>
        act(run, async () => (await interaction.write({ content: text })).answer.message()),
      currentContent: () => interaction.content,
      noted: interaction,
    }),
    ...held,
  });
}

function createAppender(run: CommandRun): TextAppender<SentMessage> {
  const { interaction, env, lifetime } = run;
  return new TextAppender({
    answer: {
      write: (content, stopped) =>
        act(run, async () =>
          sentOf(run, await interaction.write({ content }, { signal: stopped })),
        ),
      content: () => interaction.content,
    },
    next: () => sentPage((content) => reply(run, content)),
    pursue: (call, signal) => interaction.pursue(call, signal),
    clock: env.clock,
    intervalMs: env.profile.editIntervalMs,
    signal: lifetime.signal,
    ready: () => run.statesWritten,
  });
}
