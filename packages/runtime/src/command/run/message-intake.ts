import { RecentIds } from '@virgule/core/collections';
import { readableError } from '@virgule/core/errors';
import { isObject, isRecord, orUndefined } from '@virgule/core/objects';
import { didYouMean } from '@virgule/core/text';
import type { Activity } from '../activity.js';
import { MessageAnswer, type CommandMessage } from '../answer/message-answer.js';
import { authorFrom, type Author } from '../author.js';
import { commandNamed, type Command } from '../define/command.js';
import { textContext, type BotEnvironment } from '../environment.js';
import type { BotEvent } from '../gateway-port.js';
import type { IntakeState } from './command-run.js';
import { startRun } from './run-command.js';

/** Age from which a message runs no command, in milliseconds: its author no longer expects an answer. */
const MAX_AGE_MS = 60_000;

/** Deadline of the call that reads the author of a message, in milliseconds: its user waits. */
const AUTHOR_DEADLINE_MS = 3_000;

/** Number of remembered messages, so that a message that is delivered twice runs once. */
const REMEMBERED_MESSAGES = 1_000;

type TypedCommand = NonNullable<ReturnType<MessageIntake['typedIn']>>;
type Fields = Readonly<Record<string, unknown>>;

/** Runs the commands that users send as messages. */
export class MessageIntake {
  readonly #env: BotEnvironment;
  readonly #refusals: Activity;
  readonly #seen = new RecentIds(REMEMBERED_MESSAGES);

  /** @param refusals - activity of answers to commands that arrive during a shutdown. */
  constructor(env: BotEnvironment, refusals: Activity) {
    this.#env = env;
    this.#refusals = refusals;
  }

  /**
   * Returns the name after the prefix or the mention in a message, the command that it runs, if any, and the line that a user
   * would type for it as a slash command.
   */
  typedIn(d: unknown, commands: IntakeState['commands']) {
    const content = isRecord(d) ? d['content'] : undefined;
    if (typeof content !== 'string') return undefined;
    const { messages, mentions } = this.#env;
    const { prefix } = messages;
    // Most messages begin with neither, and a comparison with a constant costs less.
    const isMarked = messages.mention && (content.startsWith('<') || content.startsWith('@'));
    const me = isMarked && mentions.find((mention) => content.startsWith(mention));
    if (!me && !content.startsWith(prefix)) return undefined;
    const text = me ? content.slice(me.length).trimStart() : content.slice(prefix.length);
    const [word = ''] = /^\S*/.exec(text) ?? [];
    const name = word.toLowerCase();
    const named = commandNamed(commands, name);
    const command = named?.messages ? named : undefined;
    return { command, name, rawInput: `/${name}${text.slice(word.length)}` };
  }

  /** Returns whether a message runs a command, or has run it before. No other code gets such a message. */
  receive({ d, receivedAtMs, recovered, queued }: BotEvent, state: IntakeState): boolean {
    const { log, clock, activity } = this.#env;
    const typed = this.typedIn(d, state.commands);
    const command = typed?.command;
    if (!command || !isRecord(d)) {
      if (typed && this.#env.development) this.#suggest(typed.name, Object(d), state.commands);
      return false;
    }
    const { id, channelId, createdAt, authorId, forwardedFrom, isDeleted } = d;
    // A forwarded text was not written for this bot by the user who forwards it.
    if (isObject(forwardedFrom) || isDeleted === true) return false;
    if (typeof id !== 'string' || typeof channelId !== 'string') return false;
    if (this.#seen.has(id)) return true;
    if (recovered || this.#isIgnored(authorId)) return false;
    const { name } = typed;
    const ageMs = clock.now() - Date.parse(String(createdAt));
    if (ageMs > MAX_AGE_MS) {
      log.warn({ command: name, ageMs }, `ignored ${name} in a message: the message is too old`);
      return false;
    }
    this.#seen.add(id);
    if (queued?.isAgain) {
      const message = `${name} of a message is not run again after the end of its process: it may have answered`;
      log.warn({ command: name, messageId: id }, message);
      return true;
    }
    const source = { id, channelId, serverId: serverOf(d), createdAt: String(createdAt) };
    const to: CommandMessage = { ...source, receivedAtMs, name, actorId: authorId };
    if (state.isClosing) this.#refusals.track(this.#refuse(to));
    else activity.track(this.#run({ ...typed, command }, to, d, queued, state.ready));
    return true;
  }

  /** Logs the probable command of a message with a mistyped name. Its channel gets nothing. */
  #suggest(name: string, { id: messageId }: Fields, commands: IntakeState['commands']): void {
    const { prefix } = this.#env.messages;
    const known = [...commands.values()].flatMap((each) => (each.messages ? [each.name] : []));
    const meant = didYouMean(name, known);
    const text = `${prefix}${name} is no command; did you mean ${prefix}${meant}?`;
    if (meant) this.#env.log.info({ messageId }, text);
  }

  #isIgnored(authorId: unknown): boolean {
    const { me, messages } = this.#env;
    return authorId === me.id || messages.ignore.includes(String(authorId).toLowerCase());
  }

  async #run(
    { command, name, rawInput }: TypedCommand & { readonly command: Command },
    received: CommandMessage,
    d: Fields,
    queued: BotEvent['queued'],
    ready: Promise<void> | undefined,
  ): Promise<void> {
    const named = authorOf(d);
    const author = named ?? (await this.#readAuthor(received));
    const isOwn = !author && this.#env.ownTexts.has(String(d['content']).trim());
    if (isOwn || (author && this.#isIgnored(author.id))) return;
    // Unknown authors count as one: this bot may be one of them.
    const to = { ...received, actorId: author?.id ?? 'unknown' };
    const { loops } = this.#env;
    // The guard has logged its error.
    if (loops && !orUndefined(() => loops.answer(to))) return;
    const { id: interactionId, channelId, serverId, receivedAtMs } = to;
    const event = { interactionId, serverId, channelId, name, rawInput, message: d };
    const here = named ? 'blocked' : 'author';
    const cause = queued ? 'queued' : ready ? 'starting' : here;
    await startRun(
      {
        command,
        event,
        receivedAtMs,
        cause,
        ready,
        author,
        caller: 'message',
        open: (_init, env, run) => new MessageAnswer(to, env, run),
      },
      this.#env,
      queued?.trace,
    );
  }

  /** Reads the author of a message whose event does not name its author in the assumed form: endpoint 8 states the fields. */
  async #readAuthor({ channelId, id, name }: CommandMessage): Promise<Author | undefined> {
    try {
      const options = { deadlineMs: AUTHOR_DEADLINE_MS };
      const message = await this.#env.rest.messages.get(channelId, id, options);
      return message.id === id ? authorOf({ ...message }) : undefined;
    } catch (error) {
      const details = { command: name, messageId: id, err: readableError(error) };
      this.#env.log.warn(details, `the author of a message with the command ${name} is unknown`);
      return undefined;
    }
  }

  async #refuse(to: CommandMessage): Promise<void> {
    const env = this.#env;
    const answer = new MessageAnswer(to, env);
    await answer.write({ content: env.texts.restarting(textContext(env, to)) }).catch(() => {});
    answer.end();
  }
}

const serverOf = ({ serverId }: Fields): string => (typeof serverId === 'string' ? serverId : '');

const authorOf = ({ authorId, authorUsername, authorDisplayName }: Fields): Author | undefined =>
  authorFrom({ id: authorId, username: authorUsername, displayName: authorDisplayName });
