import { carriesFiles, toParts, type EditInput, type MessageInput } from '../define/answer.js';
import type { TextSource } from '../define/text-source.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { TextAppender } from '../interaction/append-text.js';
import { deliver } from '../interaction/deliver.js';
import type { Written } from '../interaction/interaction.js';
import type { WaitTools } from '../waits/listener.js';
import type { CommandContextInit } from './create-command-context.js';
import { WatchedPromise } from './watched-promise.js';
import { createSentMessage, type SentMessage } from './sent-message.js';

/**
 * What the functions of one context do. They share this one object: a command that waits holds
 * everything that is made for it.
 */
export class CommandCalls {
  readonly #init: CommandContextInit;
  /** Made for the few commands that need it. */
  #appender: TextAppender<SentMessage> | undefined;

  constructor(init: CommandContextInit) {
    this.#init = init;
  }

  /** Fulfils what the handler wants, unless the last word was said for it. */
  wish<T>(fulfil: () => Promise<T>): Promise<T> {
    const refusal = this.#init.over?.();
    const promise = refusal ? Promise.reject(refusal.error) : fulfil();
    return WatchedPromise.watch(promise, (error, watched) =>
      this.#init.failed?.({ error, watched }),
    );
  }

  reply(input: MessageInput): Promise<SentMessage> {
    this.#init.speaking?.();
    return this.wish(async () => {
      const delivered = await deliver('reply', toParts(input), this.#init);
      return this.#sent(delivered.content, delivered);
    });
  }

  edit(input: EditInput): Promise<void> {
    const { interaction, commandName } = this.#init;
    this.#init.speaking?.();
    return this.wish(async () => {
      const parts = toParts(input);
      // Also when it would be the first answer, which could carry them: it must not depend on that.
      if (carriesFiles(parts)) throw runtimeErrors.E_EDIT_WITH_FILES({ commandName });
      await interaction.write(parts);
    });
  }

  append(source: TextSource): Promise<readonly SentMessage[]> {
    return this.wish(() => {
      this.#appender ??= this.#createAppender();
      return this.#init.interaction.prepare(this.#appender.append(source));
    });
  }

  waitTools(): WaitTools {
    const { waits, commandName, command, channelId, signal, clock, profile } = this.#init;
    return {
      waits,
      commandName,
      file: command.file,
      intents: command.intents,
      channelId,
      signal,
      clock,
      intervalMs: profile.editIntervalMs,
      reply: (input) => this.reply(input),
    };
  }

  #sent(content: string, { message, isAnswer }: Written): SentMessage {
    const { rest, channelId, commandName, interaction } = this.#init;
    return createSentMessage({
      rest,
      channelId,
      content,
      known: message,
      commandName,
      ...(isAnswer && {
        edit: (text) => this.wish(async () => (await interaction.write({ content: text })).message),
        currentContent: () => interaction.content,
      }),
    });
  }

  #createAppender(): TextAppender<SentMessage> {
    const { interaction, clock, profile, signal, commandName } = this.#init;
    return new TextAppender({
      answer: {
        write: (content, stopped) =>
          this.wish(async () =>
            this.#sent(content, await interaction.write({ content }, { signal: stopped })),
          ),
        content: () => interaction.content,
      },
      next: () => {
        let message: SentMessage | undefined;
        return {
          write: async (content) => {
            if (message) await message.edit(content);
            else message = await this.reply(content);
            return message;
          },
        };
      },
      pursue: (call, options) => interaction.pursue(call, options),
      clock,
      intervalMs: profile.editIntervalMs,
      signal,
      ready: () => this.#init.statesWritten,
      notText: (piece) => runtimeErrors.E_ANSWER_TYPE({ commandName, saw: typeof piece }),
    });
  }
}
