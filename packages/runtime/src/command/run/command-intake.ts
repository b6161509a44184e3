import { RecentIds } from '@virgule/core/collections';
import { readableError } from '@virgule/core/errors';
import { isRecord, orUndefined } from '@virgule/core/objects';
import type { ApplicationCommandEvent } from '@virgule/core/protocol';
import { Activity } from '../activity.js';
import type { CommandAnswer } from '../answer/command-answer.js';
import { Interaction } from '../answer/interaction.js';
import { MessageAnswer, type CommandMessage } from '../answer/message-answer.js';
import type { ReceivedCommand } from '../answer/received-command.js';
import { authorOfMessage } from '../author.js';
import { commandNamed, usageOf, type Command, type Commands } from '../define/command.js';
import type { BotEnvironment } from '../environment.js';
import type { BotEvent, GatewayPort, QueuedDelivery } from '../gateway-port.js';
import { isId, isSameId } from '../../options/references.js';
import type { CommandRun, CommandRunInit } from './command-run.js';
import { readCommandEvent } from './read-payload.js';
import { runCommand, startRun } from './run-command.js';
import { suggestCommand, typedIn } from './typed-command.js';

/** Number of remembered commands, so that a command delivered twice runs once. The client remembers more. */
const MAX_REMEMBERED = 1_000;

/** Maximum age of a message that runs a command, in milliseconds: later, its author no longer expects an answer. */
const MAX_AGE_MS = 60_000;
/** Maximum assumed time by which the clock of this machine is behind, in milliseconds. */
const MAX_SKEW_MS = 3_600_000;

/** Deadline of the call that reads the author of a message, in milliseconds: its user waits. */
const AUTHOR_DEADLINE_MS = 3_000;

/** State of the bot, in one object that changes: an object for each event takes 2 % of its time. */
export interface IntakeState {
  readonly commands: Commands;
  readonly isClosing: boolean;
  /** Resolves when commands can run; `undefined` if commands can run now. */
  readonly ready: Promise<void> | undefined;
}

/** A message that runs a command, as the event of its run. */
type TypedMessage = CommandMessage & {
  readonly command: Command;
  readonly event: ApplicationCommandEvent & { readonly message: Readonly<Record<string, unknown>> };
};

/** Creates the intake of a bot, which runs each received command once, or answers with the reason why the command does not run. */
export function createCommandIntake(
  env: BotEnvironment,
  { deliversOnce }: Pick<GatewayPort, 'deliversOnce'>,
  state: IntakeState,
) {
  const { activity, clock, log, loops, messages, profile, rest, texts } = env;
  const { prefix, ignore } = messages;
  /** Ids of messages that ran a command, and of interactions unless the gateway itself delivers each of them once. */
  const seen = new RecentIds(MAX_REMEMBERED);
  const sinceMs = clock.monotonic();
  /** Answers to commands that arrive during a shutdown. Not drained with the handlers: a busy bot would never become idle. */
  const refusals = new Activity();

  /** Runs the command of an event, if any. Returns whether it is a message that ran one: then no event handler gets it. */
  function take(event: BotEvent): boolean {
    if (event.t === 'MESSAGE_CREATE') return takeMessage(event);
    if (event.t === 'APPLICATION_COMMAND') takeSlash(event);
    return false;
  }

  /** Returns whether an event is a message that names a command, which another process may run. */
  function isCommand({ t, d }: Pick<BotEvent, 't' | 'd'>): boolean {
    const { commands } = state;
    return t === 'MESSAGE_CREATE' && typedIn(d, commands, env)?.command !== undefined;
  }

  function takeSlash(received: BotEvent): void {
    const { receivedAtMs, queued } = received;
    const { commands, isClosing, ready } = state;
    const event = readCommandEvent(received.d, log);
    if (!event) return;
    const { interactionId } = event;
    const named = commandNamed(commands, event.name);
    // The registration on the platform is older than the setting.
    const command = named?.messages === 'only' ? undefined : named;
    if (!command && queued?.passOn?.()) return;
    if (!deliversOnce && !seen.add(interactionId)) {
      log.debug({ interactionId }, 'ignored a command that was delivered twice');
      return;
    }
    const opened = openedOf(received, command?.silent);
    const refusal = refusalOf(event, named, queued);
    if (refusal !== undefined) {
      const answer = new Interaction({ event, receivedAtMs, opened, queued }, env);
      return refuse(answer, event.name, refusal, isClosing);
    }
    if (!command) return;
    // In development, a command waits outside of the bot for a new process.
    const cause = queued ? 'queued' : receivedAtMs < sinceMs ? 'starting' : 'blocked';
    const init: CommandRunInit = { command, event, receivedAtMs, cause, ready, opened, queued };
    const { answerWindowMs, deferredWindowMs } = profile;
    const windowMs = opened ? deferredWindowMs : answerWindowMs;
    const isOverdue = queued && clock.monotonic() - receivedAtMs > windowMs;
    activity.track(startRun(init, env, isOverdue ? runIfOpen : runCommand));
  }

  /** Returns whether a message runs a command, or has run it before. No other code gets such a message. */
  function takeMessage({ d, receivedAtMs, recovered, queued }: BotEvent): boolean {
    const { commands, isClosing } = state;
    const typed = typedIn(d, commands, env);
    if (!typed?.command || !isRecord(d)) {
      // The channel gets nothing.
      const note = typed && env.development && suggestCommand(typed.name, commands, prefix);
      if (note) log.info({ messageId: Object(d).id }, note);
      return false;
    }
    const { command, name, rawInput } = typed;
    const { id, channelId, authorId } = d;
    if (isForeign(d) || typeof id !== 'string' || typeof channelId !== 'string') return false;
    const key = id.toLowerCase();
    if (seen.has(key)) return true;
    if (recovered || isIgnored(authorId)) return false;
    const createdAt = String(d['createdAt']);
    const ageMs = clock.now() - Date.parse(createdAt);
    // The clock of this machine may be behind. An age that is no number is no reason to run.
    if (!(ageMs <= MAX_AGE_MS && ageMs >= -MAX_SKEW_MS)) {
      const text = `ignored ${name} in a message: it was not written within the last minute`;
      log.warn({ command: name, createdAt }, text);
      return false;
    }
    seen.add(key);
    if (queued?.isAgain) {
      const message = `${name} of a message is not run again: it may have answered`;
      log.warn({ command: name, messageId: id }, message);
      return true;
    }
    const serverId = typeof d['serverId'] === 'string' ? d['serverId'] : '';
    const event = { interactionId: id, serverId, channelId, name, rawInput, message: d };
    const of = { command, event, channelId, receivedAtMs, queued };
    const to = { ...of, message: { createdAt }, actorId: authorId };
    if (isClosing) {
      if (isId(String(authorId)) || !mayBeIgnored(d))
        refuse(new MessageAnswer(to, env), name, texts.restarting(event), true);
    } else activity.track(runMessage(to));
    return true;
  }

  const isIgnored = (authorId: unknown): boolean =>
    [env.me.id, ...ignore].some((id) => isSameId(id, authorId));

  /** Returns whether an author who is unknown may be one to ignore. */
  const mayBeIgnored = ({ content }: Readonly<Record<string, unknown>>): boolean =>
    ignore.length > 0 || env.ownTexts.has(String(content));

  async function runMessage(received: TypedMessage): Promise<void> {
    const { ready } = state;
    const { message } = received.event;
    // An event without the field may be of a forwarded message.
    const named = 'forwardedFrom' in message ? authorOfMessage(message) : undefined;
    const read = named ? undefined : await readAgain(received);
    const author = named ?? authorOfMessage(read);
    if (isForeign({ ...read })) return;
    if (author ? isIgnored(author.id) : mayBeIgnored(message)) return;
    // Unknown authors count as one: this bot may be one of them.
    const actorId = author?.id ?? 'unknown';
    const { channelId, serverId: stated } = received.event;
    const serverId = stated || (await env.serverOf(channelId));
    const to = { ...received, event: { ...received.event, serverId }, actorId };
    // The guard has logged its error.
    if (loops && !orUndefined(() => loops.answer(to))) return;
    const here = named && stated ? 'blocked' : 'lookup';
    const cause = received.queued ? 'queued' : ready ? 'starting' : here;
    const open = (run: CommandRun): CommandAnswer => new MessageAnswer(to, run.env, run);
    await startRun({ ...to, cause, ready, author, open, caller: 'message' }, env);
  }

  /** Reads a message whose event does not name its author in the assumed form: endpoint 8 states the fields. */
  async function readAgain({ channelId, event }: CommandMessage): Promise<object | undefined> {
    const { interactionId: messageId, name: command } = event;
    const reading = rest.messages.get(channelId, messageId, { deadlineMs: AUTHOR_DEADLINE_MS });
    const message = await reading.catch((error: unknown) => {
      const details = { command, messageId, err: readableError(error) };
      log.warn(details, `the author of a message with the command ${command} is unknown`);
    });
    return message?.id === messageId ? message : undefined;
  }

  /** Returns the text that the user gets instead of a run; `undefined` if the command runs. */
  function refusalOf(event: ApplicationCommandEvent, named?: Command, queued?: QueuedDelivery) {
    if (state.isClosing) return texts.restarting(event);
    if (!named || named.messages === 'only') {
      const usage = named && usageOf(named, messages).messageUsage;
      return texts.unknownCommand({ ...event, usage });
    }
    if (queued?.isSetAside) return texts.failed({ ...event, cause: undefined });
    return queued?.isInterrupted ? texts.interrupted(event) : undefined;
  }

  function refuse(answer: CommandAnswer, name: string, content: string, isClosing: boolean): void {
    const refusing = answer.reply({ content }).then(
      () => log.info({ command: name }, `/${name} was refused: ${content}`),
      (error: unknown) => log.warn({ command: name, err: error }, `/${name} could not be refused`),
    );
    (isClosing ? refusals : activity).track(refusing.then(() => answer.end()));
  }

  return { take, isCommand, refusals };
}

/**
 * Runs a command that seems to be too old, if the platform still takes an answer. Otherwise no user would see the result, and
 * the user may have repeated the command. A call to the platform decides, because the length of the window is only assumed,
 * and because the clock that measured the age may have been changed.
 */
async function runIfOpen(init: CommandRunInit, env: BotEnvironment): Promise<void> {
  const { command, event, receivedAtMs } = init;
  const { name, silent } = command;
  const { interactionId } = event;
  const { clock, log, profile } = env;
  const ageMs = clock.monotonic() - receivedAtMs;
  const interaction = new Interaction({ command, event, receivedAtMs }, env);
  const opening = silent ? interaction.acknowledge() : interaction.defer();
  const isOpen = await opening.then(
    () => true,
    // Before the end of the window, only the state `expired` shows that the interaction is over.
    () => interaction.state !== 'expired' && ageMs <= profile.deferredWindowMs,
  );
  interaction.end();
  if (isOpen) {
    const { state } = interaction;
    const opened = state === 'reopened' ? state : silent ? 'acknowledged' : 'deferred';
    // The timeout of the command begins now.
    const nowMs = clock.monotonic();
    return runCommand({ ...init, receivedAtMs: nowMs, opened: init.opened ?? opened }, env);
  }
  env.endRecord?.();
  const ms = clock.monotonic() - receivedAtMs;
  const details = { command: name, interactionId, ageMs: Math.round(ms) };
  log.error(details, `dropped /${name}: it is too old to be answered`);
  const ended = { outcome: 'expired', result: 'expired', ms };
  if (init.work) env.observed?.ended(Object.assign(init.work, ended));
}

/**
 * Returns whether a message is deleted or forwarded: then the user who forwards it did not write it for this bot. The form of
 * the fields is assumed, so any value of a field with such a name is a sign.
 */
const isForeign = (message: object): boolean =>
  Object.entries(message).some(([key, value]) => value && /^(is)?(forwarded|deleted)/i.test(key));

/** Returns the state in which another process may have left an interaction. */
function openedOf({ queued, isDeferred }: BotEvent, isSilent = false): ReceivedCommand['opened'] {
  if (isDeferred) return 'deferred';
  if (queued?.isInterrupted) return 'answered';
  if (queued?.isAgain) return 'shared';
  if (!queued?.isDeferred) return undefined;
  return isSilent ? 'acknowledged' : 'deferred';
}
