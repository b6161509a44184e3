import {
  carriesFiles,
  toParts,
  type EditInput,
  type MessageInput,
  type SentMessage,
} from '../answer/answer.js';
import type { TextSource } from '../answer/text-source.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { TextAppender } from '../answer/append-text.js';
import { deliver } from './deliver.js';
import { sentPage } from '../answer/page-writer.js';
import type { Written } from '../answer/settled-calls.js';
import type { CommandRun } from './command-run.js';
import { WatchedPromise } from '../context/watched-promise.js';
import { Sent } from '../answer/sent-message.js';

/**
 * The functions of one context. They share this one object: a command that waits keeps everything that
 * was created for it.
 */
export class CommandCalls {
  readonly run: CommandRun;
  /** Created for the few commands that need it. */
  #appender: TextAppender<SentMessage> | undefined;

  constructor(run: CommandRun) {
    this.run = run;
  }

  /** Makes a call for the handler, unless the final reply was sent for it. */
  act<T>(call: () => Promise<T>): Promise<T> {
    const { sealed } = this.run;
    const promise = sealed ? Promise.reject(sealed.error) : call();
    return WatchedPromise.watch(promise, (error, watched) => this.run.failed({ error, watched }));
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
      // Also for a first answer, which could carry them: the result must not depend on that.
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
