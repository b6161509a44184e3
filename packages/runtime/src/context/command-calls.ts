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
 * The functions of one context. They share this one object: a command that waits keeps everything that
 * was created for it.
 */
export class CommandCalls {
  readonly #init: CommandContextInit;
  /** Created for the few commands that need it. */
  #appender: TextAppender<SentMessage> | undefined;

  constructor(init: CommandContextInit) {
    this.#init = init;
  }

  /** Makes a call for the handler, unless the final reply was sent for it. */
  act<T>(call: () => Promise<T>): Promise<T> {
    const refusal = this.#init.over?.();
    const promise = refusal ? Promise.reject(refusal.error) : call();
    return WatchedPromise.watch(promise, (error, watched) =>
      this.#init.failed?.({ error, watched }),
    );
  }

  reply(input: MessageInput): Promise<SentMessage> {
    this.#init.speaking?.();
    return this.act(async () => {
      const delivered = await deliver('reply', toParts(input), this.#init);
      return this.#sent(delivered.content, delivered);
    });
  }

  edit(input: EditInput): Promise<void> {
    const { interaction, commandName } = this.#init;
    this.#init.speaking?.();
    return this.act(async () => {
      const parts = toParts(input);
      // Also for a first answer, which could carry them: the result must not depend on that.
      if (carriesFiles(parts)) throw runtimeErrors.E_EDIT_WITH_FILES({ commandName });
      await interaction.write(parts);
    });
  }

  append(source: TextSource): Promise<readonly SentMessage[]> {
    return this.act(() => {
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

  #sent(content: string, { answer, isAnswer }: Written): SentMessage {
    const { rest, channelId, commandName, interaction } = this.#init;
    return createSentMessage({
      rest,
      channelId,
      content,
      known: answer.message(),
      commandName,
      ...(isAnswer && {
        edit: (text) =>
          this.act(async () => (await interaction.write({ content: text })).answer.message()),
        currentContent: () => interaction.content,
      }),
    });
  }

  #createAppender(): TextAppender<SentMessage> {
    const { interaction, clock, profile, signal, commandName } = this.#init;
    return new TextAppender({
      answer: {
        write: (content, stopped) =>
          this.act(async () =>
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
