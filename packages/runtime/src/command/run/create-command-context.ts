import type { CommandRun } from './command-run.js';
import { confirm } from '../waits/confirm.js';
import type { Waiter } from '../waits/listener.js';
import { paginate } from '../waits/paginate.js';
import { reactions } from '../waits/reactions.js';
import { waitForMessage } from '../waits/wait-for-message.js';
import { Channel, channelsOf } from '../context/channel-handle.js';
import { CommandCalls } from './command-calls.js';
import type { CommandContext } from '../context/command-context.js';
import { BoundClock } from '../context/context-clock.js';
import { BoundLog } from '../context/context-log.js';
import { fetchAttachments } from '../context/fetch-attachment.js';
import { addSignal } from '../context/lazy-signal.js';

/** Returns the context of a run, which is created on first use. */
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
  // Created on use: the signal of a run is.
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
