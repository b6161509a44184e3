import type { CommandRun } from './command-run.js';
import type { Waiter } from '../waits/listener.js';
import { confirm, paginate, reactions, waitForMessage } from '../waits/wait-calls.js';
import { Channel, channelsOf } from '../context/channel-handle.js';
import type { CommandContext } from '../context/command-context.js';
import { addSignal, BoundClock, fetchAttachments } from '../context/context-members.js';
import { BoundLog } from '../context/context-log.js';
import {
  carriesFiles,
  toParts,
  type EditInput,
  type MessageInput,
  type SentMessage,
} from '../answer/answer.js';
import type { TextSource } from '../answer/text-source.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { sentPage, TextAppender } from '../answer/append-text.js';
import { deliver } from './write-answer.js';
import type { Written } from '../answer/interaction.js';
import { WatchedPromise } from '../context/watched-promise.js';
import { Sent } from '../answer/sent-message.js';

/** Returns the context of a run. The context is created on first use. */
export const contextOf = (run: CommandRun): CommandContext =>
  (run.context ??= createCommandContext(run));

function createCommandContext(run: CommandRun): CommandContext {
  const { event, options, command, env, lifetime } = run;
  const { interactionId, serverId, channelId, name } = event;
  const calls = new CommandCalls(run);
  const { file, intents, timeoutMs } = command;
  const reply: CommandContext['reply'] = (input) => calls.reply(input);
  const ask: CommandContext['reply'] = async (input) => {
    const sent = await calls.reply(input);
    run.interaction.remember('answer');
    return sent;
  };
  // Created on use, because reading the signal of a run creates it.
  const waiter = (): Waiter => {
    const { signal } = lifetime;
    const owner = `/${command.name}`;
    return { env, owner, file, intents, channelId, signal, reply: ask, timeoutMs };
  };

  const context: Omit<CommandContext, 'signal'> = {
    options,
    reply,
    edit: (input) => calls.edit(input),
    append: (source) => calls.append(source),
    confirm: (question, confirmOptions = {}) =>
      calls.act(() => confirm(question, confirmOptions, waiter())),
    waitForMessage: (waitOptions) => calls.act(() => waitForMessage(waitOptions, waiter())),
    reactions: (message, reactionsOptions) => reactions(message, reactionsOptions, waiter()),
    paginate: (pages, paginateOptions = {}) =>
      calls.act(() => paginate(pages, paginateOptions, waiter())),
    defer: () => calls.act(() => run.interaction.defer()),
    here: new Channel(channelId, env, lifetime),
    channel: channelsOf(env, lifetime),
    fetchAttachment: fetchAttachments(env, lifetime),
    commandName: name,
    meta: command.meta,
    commands: env.commands(),
    interactionId,
    serverId,
    channelId,
    // An event may have fields that its type does not declare.
    raw: event as CommandContext['raw'],
    services: env.services,
    env: env.envValues,
    locals: {},
    storage: env.storage,
    tasks: env.tasks,
    voice: env.voice.voice,
    rest: env.rest,
    log: new BoundLog(env.log, event),
    clock: new BoundClock(env.clock, lifetime),
    random: env.random,
  };
  return addSignal(context, lifetime);
}

/**
 * The functions of one context. All functions share this object: a command that waits keeps every object that was created for
 * it in memory.
 */
class CommandCalls {
  readonly run: CommandRun;
  /** Appender of `append`, created on first use. */
  #appender: TextAppender<SentMessage> | undefined;

  constructor(run: CommandRun) {
    this.run = run;
  }

  /** Makes a call for the handler, unless the final reply was sent in its place. */
  act<T>(call: () => Promise<T>): Promise<T> {
    const { sealed } = this.run;
    const promise = sealed ? Promise.reject(sealed.error) : call();
    return WatchedPromise.watch(promise, (error, watched) => this.run.failed(error, watched));
  }

  reply(input: MessageInput): Promise<SentMessage> {
    this.run.speaking();
    return this.act(async () => this.#sent(await deliver('reply', toParts(input), this.run)));
  }

  edit(input: EditInput): Promise<void> {
    const { interaction, command } = this.run;
    this.run.speaking();
    return this.act(async () => {
      const parts = toParts(input);
      // A first answer could carry files, but the result of `edit` must not depend on whether there is an answer.
      if (carriesFiles(parts))
        throw runtimeErrors.E_ANSWER_INVALID({
          kind: 'edit-with-files',
          commandName: command.name,
        });
      await interaction.write(parts);
    });
  }

  append(source: TextSource): Promise<readonly SentMessage[]> {
    return this.act(() => {
      this.#appender ??= this.#createAppender();
      return this.run.interaction.prepare(this.#appender.append(source));
    });
  }

  #sent({ answer, isAnswer, content }: Written): SentMessage {
    const { env, event, command, interaction } = this.run;
    return new Sent({
      rest: env.rest,
      channelId: event.channelId,
      content,
      known: answer.message(),
      commandName: command.name,
      ...(isAnswer && {
        edit: (text) =>
          this.act(async () => (await interaction.write({ content: text })).answer.message()),
        currentContent: () => interaction.content,
      }),
    });
  }

  #createAppender(): TextAppender<SentMessage> {
    const { interaction, env, lifetime } = this.run;
    return new TextAppender({
      answer: {
        write: (content, stopped) =>
          this.act(async () =>
            this.#sent(await interaction.write({ content }, { signal: stopped })),
          ),
        content: () => interaction.content,
      },
      next: () => sentPage((content) => this.reply(content)),
      pursue: (call, options) => interaction.pursue(call, options),
      clock: env.clock,
      intervalMs: env.profile.editIntervalMs,
      signal: lifetime.signal,
      ready: () => this.run.statesWritten,
    });
  }
}
