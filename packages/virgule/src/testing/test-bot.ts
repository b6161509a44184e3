import type { EventName, EventPayloads, SyncCommandItem } from '@virgule/core/protocol';
import type { SimMessage } from '@virgule/core/simulator-api';
import type { CommandDefinition } from '@virgule/runtime';
import type { SyncPlan } from '@virgule/runtime/sync';
import type { Simulator, UserFile } from '@virgule/simulator';
import type { z } from 'zod';
import type { TestCall } from './activity-records.js';
import type { TestClock } from './test-clock.js';

/** What is typed of a command: its definition, as its file exports it. */
export type AnyCommand = Pick<CommandDefinition<never>, 'description'> & {
  readonly options?: unknown;
};

/** The commands of a bot by name, for the types of `run`. */
export type TestCommands = Readonly<Record<string, AnyCommand>>;

/** The options of a command, as its schema takes them. */
export type OptionsOf<Command> = Command extends { readonly options?: infer Schema }
  ? NonNullable<Schema> extends z.core.$ZodObject
    ? z.input<NonNullable<Schema>>
    : Readonly<Record<string, unknown>>
  : Readonly<Record<string, unknown>>;

/** A file of a message. */
export interface TestFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** What the bot did because of an event. */
export interface TestResult {
  /** Content of every message that the bot wrote because of it, in its final state, oldest first. */
  readonly replies: readonly string[];
  /** The files of these messages. */
  readonly files: readonly TestFile[];
  /** What a handler threw, with its stack; `undefined` when none did. */
  readonly error: unknown;
  /** The requests that the bot sent because of it, in order. */
  readonly calls: readonly TestCall[];
  /** The channel as a chat, for messages of failed tests. */
  readonly transcript: string;
}

/** How long the parts of a run took, in milliseconds on the clock of the bot. */
export interface TestTimings {
  /** Until the first message; `undefined` without one. */
  readonly answeredMs: number | undefined;
  /** Until the thinking state was requested; `undefined` if it was not. */
  readonly deferredMs: number | undefined;
  /** Until the command had ended. */
  readonly endedMs: number;
}

/** What came of one line. */
export interface TestRun extends TestResult {
  /** Content of the answer in its final state; `undefined` if the command did not answer. */
  readonly content: string | undefined;
  /** Content of the answer after each edit, in order. */
  readonly edits: readonly string[];
  /** Content of the other messages of this run, oldest first. */
  readonly followUps: readonly string[];
  /** Whether the thinking state was shown. */
  readonly deferred: boolean;
  /** How the interaction ended: `answered`, `acknowledged` or `expired`. */
  readonly state: string;
  /**
   * How the handler ended: `ok`, `input` if the line could not be parsed, `user-error` for a `UserError`, `cooldown`,
   * `busy`, `timed-out`, `stopped` or `failed`; `expired` if it missed its window.
   */
  readonly result: string;
  readonly timings: TestTimings;
}

/** What came of a message. */
export interface TestSaid extends TestResult {
  readonly message: SimMessage;
}

/** A user in a channel. */
export interface TestActor<Commands extends TestCommands = TestCommands> {
  /** Returns the same as another user, by username or id. */
  as(user: string): TestActor<Commands>;
  /** Returns the same in another channel, by name or id, such as `#general`. */
  in(channel: string): TestActor<Commands>;
  /**
   * Runs a command with options, typed as its schema takes them, and waits for it to end.
   *
   * @throws VirguleError `E_TEST_CALL` for an option that it does not have, and as below.
   */
  run<Name extends keyof Commands & string>(
    name: Name,
    options: OptionsOf<Commands[Name]>,
  ): Promise<TestRun>;
  /**
   * Runs a line as a user types it, such as `/roll 20`, and waits for this command alone to end.
   *
   * @throws VirguleError `E_SIM_UNKNOWN` when the bot has no such command, `E_TEST_LIMIT` when it does not end.
   */
  run(line: string): Promise<TestRun>;
  /** Writes a message, and waits for the event handlers that it starts. @throws VirguleError `E_TEST_LIMIT`. */
  say(content: string): Promise<TestSaid>;
  /** Writes a message with files, and waits as `say` does. @throws VirguleError `E_TEST_LIMIT`. */
  attach(file: UserFile | readonly UserFile[], content?: string): Promise<TestSaid>;
  /**
   * Adds a reaction, and waits for the event handlers that it starts.
   *
   * @param to - the message, or its id. @defaultValue the message that asks in the channel, such as by `confirm()`, else its newest one
   * @throws VirguleError `E_TEST_LIMIT`.
   */
  react(emoji: string, to?: string | { readonly id: string }): Promise<TestResult>;
}

/** A bot on a platform of its own, both in this process. */
export interface TestBot<Commands extends TestCommands = TestCommands> extends TestActor<Commands> {
  /**
   * Delivers an event to the bot as if the platform had sent it, and waits for its handlers.
   *
   * @throws VirguleError `E_TEST_LIMIT`.
   *
   * @example
   * ```ts
   * await bot.emit('MESSAGE_DELETE', { channelId, messageId });
   * ```
   */
  emit<Name extends EventName>(event: Name, data: EventPayloads[Name]): Promise<TestResult>;
  /**
   * Calls `cause`, which causes an event, and waits until its handlers have ended. For what has no method here, such as
   * a user who joins a voice channel.
   *
   * @returns the result of `cause`.
   */
  handled<Result>(event: EventName, cause: () => Result | Promise<Result>): Promise<Result>;
  /**
   * Starts what is due now, and resolves when every handler and task has ended or only waits: for a user, a message, the
   * clock or a rate limit.
   *
   * @throws VirguleError `E_TEST_LIMIT`.
   */
  idle(): Promise<void>;
  /**
   * Takes over files that the test has changed, added or deleted, as `virgule dev` does when they are saved: the bot
   * keeps its connection, its services and the state of other modules. With the plugin of vitest, Virgule's own loader
   * imports the files from then on: mocks no longer apply.
   *
   * @param files - from the project's folder, such as `commands/roll.ts`.
   * @throws ProjectProblems if they have problems: the bot then keeps the version before. VirguleError `E_TEST_CALL`
   *   for the services, the configuration, and what they import.
   */
  reload(...files: readonly string[]): Promise<void>;
  /**
   * Plays a conversation: lines such as `#general`, `ada: /remind 2h tea`, `+2h` and `grace 👍`.
   *
   * @param file - from the project's folder, such as `conversations/remind.txt`
   * @returns the conversation with the messages of the bot.
   * @throws VirguleError `E_CONVERSATION` for a line that cannot be played, and what `run` throws.
   *
   * @example
   * ```ts
   * expect(await bot.play('conversations/remind.txt')).toMatchSnapshot();
   * ```
   */
  play(file: string): Promise<string>;
  /** Breaks the connection of the bot. It connects again as the clock is advanced. */
  dropSocket(): void;
  /** Lets every command in flight expire now, as one does that is not answered in time. */
  expire(): void;
  /**
   * Returns what `virgule deploy` would change where these commands are registered.
   *
   * @param registered - @defaultValue none: every command is added
   */
  plan(registered?: readonly SyncCommandItem[]): SyncPlan;
  readonly clock: TestClock;
  /** The platform: its messages, channels and users, and `setFaults`, by which it misbehaves. */
  readonly platform: Simulator;
  /** @throws VirguleError `E_TEST_STRICT` when a strict bot has logged a warning that no action has reported. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
