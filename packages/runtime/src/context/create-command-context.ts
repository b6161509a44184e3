import type { Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { ApplicationCommandEvent } from '@virgule/core/protocol';
import { toParts, type EditInput, type MessageInput } from '../define/answer.js';
import type { Interaction, Written } from '../interaction/interaction.js';
import { createChannelHandle } from './channel-handle.js';
import type { CommandContext } from './command-context.js';
import { createContextClock } from './context-clock.js';
import { addSignal } from './lazy-signal.js';
import { NOTHING_PROVIDED, type Provided } from './provided.js';
import { createSentMessage } from './sent-message.js';

export interface CommandContextInit {
  readonly event: ApplicationCommandEvent;
  readonly options: Readonly<Record<string, unknown>>;
  readonly interaction: Interaction;
  readonly rest: Rest;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** Read only when it is needed: it may be made then. */
  readonly signal: AbortSignal;
  /** @defaultValue nothing */
  readonly provided?: Provided | undefined;
  /** Why the handler may not write any more, once it may not. */
  readonly over?: (() => { readonly error: unknown } | undefined) | undefined;
}

export function createCommandContext(init: CommandContextInit): CommandContext {
  const { event, options, interaction, rest, clock, random, log } = init;
  const { interactionId, serverId, channelId, name } = event;
  const { services, env } = init.provided ?? NOTHING_PROVIDED;

  const sent = (content: string, { message, isAnswer }: Written) =>
    createSentMessage({
      rest,
      channelId,
      content,
      known: message,
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

  const context = {
    options,
    reply(input: MessageInput) {
      const parts = toParts(input);
      return wish(async () => sent(parts.content, await interaction.reply(parts)));
    },
    edit: (input: EditInput) => wish(async () => void (await interaction.write(toParts(input)))),
    defer: () => wish(() => interaction.defer()),
    here: createChannelHandle(rest, channelId, init),
    channel: (id: string) => createChannelHandle(rest, id, init),
    commandName: name,
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
