import type { BotEvent, GatewayPort, QueuedDelivery } from '../gateway-port.js';
import { RecentIds } from '@virgule/core/collections';
import type { ApplicationCommandEvent } from '@virgule/core/protocol';
import type { ReceivedInteraction } from '../answer/interaction-calls.js';
import { Interaction } from '../answer/interaction.js';
import { commandNamed, usageOf, type Command } from '../define/command.js';
import { Activity } from '../activity.js';
import { textContext, type BotEnvironment } from '../environment.js';
import { MessageIntake } from './message-intake.js';
import { readCommandEvent } from './read-payload.js';
import type { CommandRunInit, IntakeState } from './command-run.js';
import { runCommand, startRun } from './run-command.js';

/** Number of remembered interactions, so that an interaction delivered twice runs once. The client remembers more. */
const REMEMBERED_INTERACTIONS = 1_000;

/** Runs each received command once, or answers with the reason why the command does not run. */
export class CommandIntake {
  readonly #env: BotEnvironment;
  readonly #sinceMs: number;
  readonly #messages: MessageIntake;
  /** Absent for a gateway that itself delivers each command once. */
  readonly #seen: RecentIds | undefined;
  /** Answers to commands that arrive during a shutdown. Not drained with the handlers: a busy bot would never become idle. */
  readonly refusals = new Activity();

  constructor(env: BotEnvironment, { deliversOnce }: Pick<GatewayPort, 'deliversOnce'>) {
    this.#env = env;
    this.#messages = new MessageIntake(env, this.refusals);
    if (!deliversOnce) this.#seen = new RecentIds(REMEMBERED_INTERACTIONS);
    this.#sinceMs = env.clock.monotonic();
  }

  /** Runs the command of an event, if any. Returns whether it is a message that ran one: then no event handler gets it. */
  take(event: BotEvent, state: IntakeState): boolean {
    if (event.t === 'MESSAGE_CREATE') return this.#messages.receive(event, state);
    if (event.t === 'APPLICATION_COMMAND') this.#receive(event, state);
    return false;
  }

  /** Returns whether an event is a message that names a command, which another process may run. */
  isCommand({ t, d }: Pick<BotEvent, 't' | 'd'>, commands: IntakeState['commands']): boolean {
    return t === 'MESSAGE_CREATE' && this.#messages.typedIn(d, commands)?.command !== undefined;
  }

  #receive(received: BotEvent, { commands, isClosing, ready }: IntakeState): void {
    const { receivedAtMs, queued } = received;
    const env = this.#env;
    const event = readCommandEvent(received.d, env.log);
    if (!event) return;
    const { interactionId } = event;
    const named = commandNamed(commands, event.name);
    // The registration on the platform is older than the setting.
    const command = named?.messages === 'only' ? undefined : named;
    if (!command && queued?.passOn?.()) return;
    if (this.#seen?.add(interactionId) === false) {
      env.log.debug({ interactionId }, 'ignored a command that was delivered twice');
      return;
    }
    const opened = openedOf(received, command?.silent);
    const refusal = this.#refusalOf(event, named, queued, isClosing);
    if (refusal !== undefined) {
      const refused = this.#refuse({ event, receivedAtMs, opened, queued }, refusal);
      return (isClosing ? this.refusals : env.activity).track(refused);
    }
    if (!command) return;
    // In development, a command waits outside of the bot for a new process.
    const cause = queued ? 'queued' : receivedAtMs < this.#sinceMs ? 'starting' : 'blocked';
    const init: CommandRunInit = {
      command,
      event,
      receivedAtMs,
      cause,
      ready,
      opened,
      queued,
      caller: 'slash',
      open: openInteraction,
    };
    const { answerWindowMs, deferredWindowMs } = env.profile;
    const windowMs = opened ? deferredWindowMs : answerWindowMs;
    const isOverdue = queued && env.clock.monotonic() - receivedAtMs > windowMs;
    const run = isOverdue ? this.#runIfOpen : runCommand;
    env.activity.track(startRun(init, env, queued?.trace, run));
  }

  /**
   * Runs a command that seems to be too old, if the platform still takes an answer. Otherwise no user would see the result, and
   * the user may have repeated the command. A call to the platform decides, because the length of the window is only assumed,
   * and because the clock that measured the age may have been changed.
   */
  readonly #runIfOpen = async (init: CommandRunInit, env: BotEnvironment): Promise<void> => {
    const { command, event, receivedAtMs } = init;
    const { name, silent } = command;
    const { interactionId } = event;
    const { clock, profile } = env;
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
    const ms = clock.monotonic() - receivedAtMs;
    const details = { command: name, interactionId, ageMs: Math.round(ms) };
    env.log.error(details, `dropped /${name}: it is too old to be answered`);
    const ended = { outcome: 'expired', result: 'expired', ms };
    if (init.work) env.observed?.ended(Object.assign(init.work, ended));
  };

  /** Returns the text that the user gets instead of a run; `undefined` if the command runs. */
  #refusalOf(
    event: ApplicationCommandEvent,
    named: Command | undefined,
    queued: QueuedDelivery | undefined,
    isClosing: boolean,
  ): string | undefined {
    const isKnown = named && named.messages !== 'only';
    if (isKnown && !isClosing && !queued?.isSetAside && !queued?.isInterrupted) return undefined;
    const { texts, messages } = this.#env;
    const where = textContext(this.#env, event);
    if (isClosing) return texts.restarting(where);
    const usage = named && usageOf(named, messages).messageUsage;
    if (!isKnown) return texts.unknownCommand({ name: event.name, usage, ...where });
    if (queued?.isSetAside) return texts.failed({ cause: undefined, ...where });
    return texts.interrupted(where);
  }

  async #refuse(received: ReceivedInteraction, content: string): Promise<void> {
    const { log } = this.#env;
    const { name } = received.event;
    const interaction = new Interaction(received, this.#env);
    try {
      await interaction[received.opened === 'answered' ? 'reply' : 'write']({ content });
      log.info({ command: name }, `/${name} was refused: ${content}`);
    } catch (error) {
      log.warn({ command: name, err: error }, `/${name} could not be refused`);
    } finally {
      interaction.end();
    }
  }
}

/** Answers a slash command through the endpoints of its interaction. */
export const openInteraction: CommandRunInit['open'] = (init, env, run) =>
  new Interaction(init, env, run);

/** Returns the state in which another process may have left an interaction. */
function openedOf(
  { queued, isDeferred }: BotEvent,
  isSilent = false,
): ReceivedInteraction['opened'] {
  if (isDeferred) return 'deferred';
  if (queued?.isInterrupted) return 'answered';
  if (queued?.isAgain) return 'shared';
  if (!queued?.isDeferred) return undefined;
  return isSilent ? 'acknowledged' : 'deferred';
}
