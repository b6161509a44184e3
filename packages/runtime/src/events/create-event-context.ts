import type { Message, ReactionEvent } from '@virgule/core/protocol';
import type { HandlerRun } from './handler-run.js';
import { toParts, type SentMessage } from '../command/answer/answer.js';
import type { ModelAnswer, TextSource } from '../command/answer/text-source.js';
import { scopeOf } from '../command/lifetime.js';
import type { Waiter } from '../command/waits/listener.js';
import { confirm, paginate, reactions, waitForMessage } from '../command/waits/wait-calls.js';
import { channelsOf, createChannel } from '../command/context/channel-handle.js';
import { contextsOf, HANDLER_MEMBERS } from '../command/context/context-members.js';
import { createContextLog } from '../command/context/context-log.js';
import type { ChannelHandle } from '../command/context/shared-context.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { EventContext } from './event-context.js';

/** Returns the context of a run. A handler can still send a final message after its signal is aborted. */
export const eventContextOf = contextsOf<
  HandlerRun,
  EventContext<unknown>,
  'event' | 'data' | 'recovered'
>(
  {
    ...HANDLER_MEMBERS,
    log: ({ env }) => createContextLog(env.log),
    call: (run) => run.env.calls(run).call,
    tools: (run) => run.env.calls(run).tools,
    channel: (run) =>
      channelsOf(run.env, scopeOf(run.env.ending), {
        owner: run.listener.file,
        streams: run.lifetime,
        since: newMessage(run),
        run: {
          remember: () => run.remember(),
          finish: () => run.finish(),
          atEnd: (note) => run.atEnd(note),
        },
      }),
    skipped: (run) => run.skipped ?? [],
    here: inChannel((_run, here) => here),
    reply: inChannel(replyOf),
    append: inChannel(appendOf),
    confirm: waiting((waiter) => async (question, options) => confirm(question, options, waiter)),
    waitForMessage: waiting((waiter) => async (options) => waitForMessage(options, waiter)),
    reactions: waiting((waiter) => (message, options) => reactions(message, options, waiter)),
    paginate: waiting((waiter) => async (pages, options) => paginate(pages, options, waiter)),
  },
  (target, { listener, delivery }) => {
    target.event = listener.event;
    target.data = delivery.data;
    target.recovered = delivery.recovered;
  },
);

/** Returns a member that needs the channel of an event; `undefined` for an event without a channel. */
function inChannel<Member>(create: (run: HandlerRun, here: ChannelHandle) => Member) {
  return (run: HandlerRun): Member | undefined => {
    const { env, delivery, lifetime: streams, listener } = run;
    const { channelId } = delivery;
    if (channelId === undefined) return undefined;
    const newest = ownMessage(run);
    const settings = { owner: listener.file, streams, run, newest, since: newMessage(run) };
    run.here ??= createChannel(channelId, env, scopeOf(env.ending), settings);
    return create(run, run.here);
  };
}

/** Returns a member that waits for users in the channel of an event. */
function waiting<Member>(create: (waiter: Waiter) => Member) {
  return inChannel((run, here) => create(waiterOf(run, here)));
}

function replyOf(run: HandlerRun, here: ChannelHandle): Waiter['reply'] {
  return (input) => here.send({ replyTo: messageOf(run), ...toParts(input) });
}

/** Answers with a text that arrives in pieces, and logs the time and the tokens of the answer. */
function appendOf(run: HandlerRun, here: ChannelHandle) {
  return (source: TextSource): Promise<readonly SentMessage[]> => {
    const { clock, log } = run.env;
    const { event, file } = run.listener;
    const startMs = clock.monotonic();
    const report = async (sent?: readonly SentMessage[]): Promise<void> => {
      const ms = Math.round(clock.monotonic() - startMs);
      const text = !sent ? 'stopped answering' : sent[0] ? 'answered' : 'answered without text';
      const usage = async (): Promise<Awaited<ModelAnswer['totalUsage']>> =>
        sent && Object(source).totalUsage;
      const { inputTokens, outputTokens } = (await usage().catch(() => {})) ?? {};
      log.info({ event, file, ms, inputTokens, outputTokens }, `${file} ${text}`);
    };
    const sending = here.append(source, { replyTo: messageOf(run) });
    // The tokens may come late, or never: the handler does not wait for its line. An answer that fails without a stop has no line:
    // its error is logged with the run. The `then` of `Promise` does not count as awaiting.
    const onFailed = () => run.lifetime.stopped && report();
    void Promise.prototype.then.call(sending, report, onFailed);
    return sending;
  };
}

function waiterOf(run: HandlerRun, here: ChannelHandle): Waiter {
  const { env, lifetime, listener: handler } = run;
  const { file: owner } = handler;
  const { signal } = lifetime;
  const reply = replyOf(run, here);
  const channelId = here.id;
  const authorId = (): string => {
    const { actorId } = run.delivery;
    if (typeof actorId === 'string') return actorId;
    throw runtimeErrors.E_AUTHOR_UNKNOWN({ owner });
  };
  return { env, owner, handler, channelId, authorId, signal, reply };
}

/** Returns the message that an event has as its payload. */
function ownMessage({ listener: { event }, delivery: { data } }: HandlerRun): Message | undefined {
  // `readPayload` has checked the payloads of these events.
  return event === 'MESSAGE_CREATE' || event === 'MESSAGE_UPDATE' ? (data as Message) : undefined;
}

/** Returns the message of an event that is newer than all answers to it. */
const newMessage = (run: HandlerRun): Message | undefined =>
  run.listener.event === 'MESSAGE_CREATE' ? ownMessage(run) : undefined;

/** Returns the id of the message that an event is about, if it exists. */
function messageOf(run: HandlerRun): string | undefined {
  const { messageId }: Partial<ReactionEvent> = Object(run.delivery.data);
  return run.listener.event.startsWith('MESSAGE_REACTION_') ? messageId : ownMessage(run)?.id;
}
