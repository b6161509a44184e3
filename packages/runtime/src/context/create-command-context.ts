import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { ApplicationCommandEvent, Profile } from '@virgule/core/protocol';
import { carriesFiles, toParts } from '../define/answer.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { TextAppender } from '../interaction/append-text.js';
import { deliver, type AnswerTarget } from '../interaction/deliver.js';
import type { Written } from '../interaction/interaction.js';
import type { Command } from '../load/project.js';
import { confirm } from '../waits/confirm.js';
import type { WaitTools } from '../waits/listener.js';
import { paginate } from '../waits/paginate.js';
import { reactions } from '../waits/reactions.js';
import { waitForMessage } from '../waits/wait-for-message.js';
import type { Waits } from '../waits/waits.js';
import { createChannelHandle } from './channel-handle.js';
import type { CommandContext } from './command-context.js';
import type { CommandInfo } from './command-info.js';
import { createContextClock } from './context-clock.js';
import { createSentMessage, type SentMessage } from './sent-message.js';
import { addSignal } from './lazy-signal.js';
import { NOTHING_PROVIDED, type Provided } from './provided.js';

export interface CommandContextInit extends AnswerTarget {
  readonly event: ApplicationCommandEvent;
  readonly options: Readonly<Record<string, unknown>>;
  readonly command: Pick<Command, 'file' | 'intents'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly profile: Profile;
  readonly waits: Waits;
  /** All commands, for a help. */
  readonly commands: () => readonly CommandInfo[];
  /** @defaultValue nothing */
  readonly provided?: Provided | undefined;
  /** Why the handler may not write any more, once it may not. */
  readonly over?: (() => { readonly error: unknown } | undefined) | undefined;
}

export function createCommandContext(init: CommandContextInit): CommandContext {
  const { event, options, interaction, rest, clock, random, log, profile } = init;
  const { interactionId, serverId, channelId, name } = event;
  const { services, env } = init.provided ?? NOTHING_PROVIDED;
  let appender: TextAppender<SentMessage> | undefined;

  const sent = (content: string, { message, isAnswer }: Written) =>
    createSentMessage({
      rest,
      channelId,
      content,
      known: message,
      commandName: name,
      ...(isAnswer && {
        edit: (text) => wish(async () => (await interaction.write({ content: text })).message),
        currentContent: () => interaction.content,
      }),
    });

  const wish = <T>(fulfil: () => Promise<T>): Promise<T> => {
    const refusal = init.over?.();
    const promise = refusal ? Promise.reject(refusal.error) : fulfil();
    // A handler that forgets `await` must not end the process when its answer is refused.
    promise.catch(() => {});
    return promise;
  };

  /** What only few commands need is made when it is first asked for. */
  const createAppender = (): TextAppender<SentMessage> =>
    new TextAppender({
      answer: {
        write: (content) => wish(async () => sent(content, await interaction.write({ content }))),
        content: () => interaction.content,
      },
      next: () => {
        let message: SentMessage | undefined;
        return {
          async write(content) {
            if (message) await message.edit(content);
            else message = await reply(content);
            return message;
          },
        };
      },
      clock,
      intervalMs: profile.editIntervalMs,
      signal: init.signal,
      ready: () => init.statesWritten,
      notText: (piece) => runtimeErrors.E_ANSWER_TYPE({ commandName: name, saw: typeof piece }),
    });

  const reply: CommandContext['reply'] = (input) =>
    wish(async () => {
      const delivered = await deliver('reply', toParts(input), init);
      return sent(delivered.content, delivered);
    });

  const waitTools = (): WaitTools => ({
    waits: init.waits,
    commandName: name,
    file: init.command.file,
    intents: init.command.intents,
    channelId,
    signal: init.signal,
    clock,
    intervalMs: profile.editIntervalMs,
    reply,
  });

  const context: Omit<CommandContext, 'signal'> = {
    options,
    reply,
    edit: (input) =>
      wish(async () => {
        const parts = toParts(input);
        // Also when it would be the first answer, which could carry them: it must not depend on that.
        if (carriesFiles(parts)) throw runtimeErrors.E_EDIT_WITH_FILES({ commandName: name });
        await interaction.write(parts);
      }),
    append: (source) =>
      wish(() => interaction.prepare((appender ??= createAppender()).append(source))),
    confirm: (question, confirmOptions = {}) =>
      wish(() => confirm(question, confirmOptions, waitTools())),
    waitForMessage: (waitOptions) => wish(() => waitForMessage(waitOptions, waitTools())),
    reactions: (message, reactionsOptions) => reactions(message, reactionsOptions, waitTools()),
    paginate: (pages, paginateOptions = {}) =>
      wish(() => paginate(pages, paginateOptions, waitTools())),
    defer: () => wish(() => interaction.defer()),
    here: createChannelHandle(channelId, init),
    channel: (id) => createChannelHandle(id, init),
    commandName: name,
    commands: init.commands(),
    interactionId,
    serverId,
    channelId,
    // An event may have fields that its type does not know.
    raw: event as CommandContext['raw'],
    services,
    env,
    locals: {},
    rest,
    log: withDetails(log, { command: name, interactionId }),
    clock: createContextClock(clock, init),
    random,
  };
  return addSignal(context, init);
}

function withDetails(log: Log, common: object): Log {
  return {
    debug: (details, message) => log.debug({ ...common, ...details }, message),
    info: (details, message) => log.info({ ...common, ...details }, message),
    warn: (details, message) => log.warn({ ...common, ...details }, message),
    error: (details, message) => log.error({ ...common, ...details }, message),
  };
}
