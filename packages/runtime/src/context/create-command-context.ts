import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { ApplicationCommandEvent, Profile } from '@virgule/core/protocol';
import type { AnswerTarget } from '../interaction/deliver.js';
import type { CallScope } from '../interaction/lifetime.js';
import type { Command } from '../load/project.js';
import { confirm } from '../waits/confirm.js';
import { paginate } from '../waits/paginate.js';
import { reactions } from '../waits/reactions.js';
import { waitForMessage } from '../waits/wait-for-message.js';
import type { Waits } from '../waits/waits.js';
import { createChannelHandle } from './channel-handle.js';
import { CommandCalls } from './command-calls.js';
import type { CommandContext } from './command-context.js';
import type { CommandInfo } from './command-info.js';
import { createContextClock } from './context-clock.js';
import { createContextLog } from './context-log.js';
import { addSignal } from './lazy-signal.js';
import { NOTHING_PROVIDED, type Provided } from './provided.js';

export interface CommandContextInit extends AnswerTarget {
  readonly event: ApplicationCommandEvent;
  readonly lifetime: CallScope;
  readonly options: Readonly<Record<string, unknown>>;
  readonly command: Pick<Command, 'file' | 'intents' | 'meta'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly profile: Profile;
  readonly waits: Waits;
  /** All commands, for a help. */
  readonly commands: () => readonly CommandInfo[];
  /** @defaultValue nothing */
  readonly provided?: Provided | undefined;
  /** Notified of a call that failed, and of whether it is awaited. */
  readonly failed?: ((call: FailedCall) => void) | undefined;
  /** Notified when the handler replies or edits. */
  readonly speaking?: (() => void) | undefined;
  /** Returns why the handler may not write any more, once it may not. */
  readonly over?: (() => { readonly error: unknown } | undefined) | undefined;
}

/** A call of a handler that failed. */
export interface FailedCall {
  readonly error: unknown;
  /** The promise that the handler received. */
  readonly watched: { readonly isAwaited: boolean };
}

export function createCommandContext(init: CommandContextInit): CommandContext {
  const { event, options, rest, clock, random, log } = init;
  const { interactionId, serverId, channelId, name } = event;
  const { services, env } = init.provided ?? NOTHING_PROVIDED;
  const calls = new CommandCalls(init);

  const context: Omit<CommandContext, 'signal'> = {
    options,
    reply: (input) => calls.reply(input),
    edit: (input) => calls.edit(input),
    append: (source) => calls.append(source),
    confirm: (question, confirmOptions = {}) =>
      calls.act(() => confirm(question, confirmOptions, calls.waitTools())),
    waitForMessage: (waitOptions) =>
      calls.act(() => waitForMessage(waitOptions, calls.waitTools())),
    reactions: (message, reactionsOptions) =>
      reactions(message, reactionsOptions, calls.waitTools()),
    paginate: (pages, paginateOptions = {}) =>
      calls.act(() => paginate(pages, paginateOptions, calls.waitTools())),
    defer: () => calls.act(() => init.interaction.defer()),
    here: createChannelHandle(channelId, init),
    channel: (id) => createChannelHandle(id, init),
    commandName: name,
    meta: init.command.meta,
    commands: init.commands(),
    interactionId,
    serverId,
    channelId,
    // An event may have fields that its type does not declare.
    raw: event as CommandContext['raw'],
    services,
    env,
    locals: {},
    rest,
    log: createContextLog(log, event),
    clock: createContextClock(clock, init.lifetime),
    random,
  };
  return addSignal(context, init);
}
