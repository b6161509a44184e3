import type { BotEvent } from './gateway-port.js';
import { RecentIds } from '@virgule/core/collections';
import type { ApplicationCommandEvent } from '@virgule/core/protocol';
import { Interaction } from '../interaction/interaction.js';
import { commandNamed } from '../load/aliases.js';
import type { Command } from '../load/project.js';
import { Activity } from './activity.js';
import { textContext, type BotEnvironment } from './bot-environment.js';
import { readCommandEvent } from './read-payload.js';
import type { CommandRunInit } from './command-run.js';
import { runCommand } from './run-command.js';

/** How many interactions are remembered, so that one delivered twice runs once. The client remembers more. */
const REMEMBERED_INTERACTIONS = 1_000;

/** How the bot is when a command arrives. */
interface IntakeState {
  readonly commands: ReadonlyMap<string, Command>;
  readonly isClosing: boolean;
  /** Resolves when commands can run; `undefined` if they can. */
  readonly ready: Promise<void> | undefined;
}

/** Runs each command that arrives once, or answers why it does not run. */
export class CommandIntake {
  readonly #env: BotEnvironment;
  readonly #sinceMs: number;
  readonly #seen = new RecentIds(REMEMBERED_INTERACTIONS);
  /** Answers to commands that arrive during a shutdown. Not drained with the handlers: on a busy bot there would always be one more. */
  readonly refusals = new Activity();

  constructor(env: BotEnvironment) {
    this.#env = env;
    this.#sinceMs = env.clock.monotonic();
  }

  receive({ d, receivedAtMs, queued }: BotEvent, state: IntakeState): void {
    const env = this.#env;
    const { activity, observed } = env;
    const event = readCommandEvent(d, env.log);
    if (!event) return;
    const { name, interactionId } = event;
    const command = commandNamed(state.commands, name);
    if (!command && queued?.passOn?.()) return;
    if (!this.#seen.add(interactionId)) {
      env.log.debug({ interactionId }, 'ignored a command that was delivered twice');
      return;
    }
    if (state.isClosing) {
      this.refusals.track(
        this.#refuse(event, receivedAtMs, env.texts.restarting(textContext(env, event))),
      );
      return;
    }
    if (!command || queued?.isSetAside) {
      const where = textContext(env, event);
      const text = command
        ? env.texts.failed({ cause: undefined, ...where })
        : env.texts.unknownCommand({ name, ...where });
      activity.track(this.#refuse(event, receivedAtMs, text));
      return;
    }
    // In development, a command waits outside of the bot for a new process.
    const cause = queued ? 'queued' : receivedAtMs < this.#sinceMs ? 'starting' : 'blocked';
    const { ready } = state;
    const isDeferred = queued?.isDeferred === true;
    const init = { command, event, receivedAtMs, cause, ready, isDeferred } as const;
    const ageMs = env.clock.monotonic() - receivedAtMs;
    const isOverdue = queued && !isDeferred && ageMs > env.profile.answerWindowMs;
    const run = isOverdue ? this.#runIfOpen : runCommand;
    activity.track(
      observed
        ? observed.around(
            { command: command.name, interactionId, receivedAtMs, trace: queued?.trace },
            () => run(init, env),
          )
        : run(init, env),
    );
  }

  /**
   * Runs a command that nothing deferred in time, if the platform still takes an answer: no one would see what its
   * handler does, and its user may have repeated it. The platform is asked because its window is only assumed.
   */
  readonly #runIfOpen = async (init: CommandRunInit, env: BotEnvironment): Promise<void> => {
    const { command, event, receivedAtMs } = init;
    const { name, silent } = command;
    const { interactionId } = event;
    const interaction = new Interaction({ interactionId, commandName: name, receivedAtMs }, env);
    // Any other failure does not show that the window is over.
    await (silent ? interaction.acknowledge() : interaction.defer()).catch(() => {});
    interaction.end();
    if (interaction.state !== 'expired') return runCommand({ ...init, isDeferred: true }, env);
    const ms = env.clock.monotonic() - receivedAtMs;
    const details = { command: name, interactionId, ageMs: Math.round(ms) };
    env.log.error(details, `dropped /${name}: it is too old to be answered`);
    const outcome = 'expired';
    const record = { command: name, interactionId, outcome, result: outcome, error: undefined, ms };
    env.observed?.ended(record);
  };

  async #refuse(
    event: ApplicationCommandEvent,
    receivedAtMs: number,
    content: string,
  ): Promise<void> {
    const env = this.#env;
    const { interactionId, name: commandName } = event;
    const interaction = new Interaction({ interactionId, commandName, receivedAtMs }, env);
    try {
      await interaction.write({ content });
      env.log.info({ command: event.name }, `/${event.name} was refused: ${content}`);
    } catch (error) {
      env.log.warn({ command: event.name, err: error }, `/${event.name} could not be refused`);
    } finally {
      interaction.end();
    }
  }
}
