import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type {
  EventName,
  EventPayloads,
  ProfileSettings,
  SyncCommandItem,
} from '@virgule/core/protocol';
import type { SimMessage } from '@virgule/core/simulator-api';
import type { CommandDefinition, Config, Duration, Services } from '@virgule/runtime';
import type { ImportModule } from '@virgule/runtime/project';
import type { SyncPlan } from '@virgule/runtime/sync';
import type { Simulator, UserFile } from '@virgule/simulator';
import type { z } from 'zod';
import type { TestCall, TestCalled } from './activity-records.js';
import type { TestReplay } from './replay.js';
import type { TestClock } from './test-clock.js';

/** Options of `createTestBot`. */
export interface TestBotOptions {
  /**
   * Folder of the project.
   *
   * @defaultValue the folder of vitest's project with the plugin of `virgule/vitest`, else the current folder
   */
  readonly root?: string | undefined;
  /**
   * Services for handlers, instead of the result of `services.ts`, whose function does not run then. The test owns
   * these services: closing the bot does not dispose them.
   *
   * @defaultValue the result of `services.ts`
   */
  readonly services?: Partial<Services> | undefined;
  /**
   * Complete environment, as strings. Replaces the default, and is checked by the `env` schema of the config.
   *
   * @defaultValue the variables of this process, with those of `.env`, `.env.local`, `.env.test` and
   * `.env.test.local` below them
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Settings that override `virgule.config.ts` one by one. */
  readonly config?: Config | undefined;
  /** Function `random` of handlers. @defaultValue random numbers */
  readonly random?: (() => number) | undefined;
  /**
   * Clock of the bot and the platform.
   *
   * @defaultValue a clock that only `bot.clock.advance` moves, from 2026-01-01 00:00 UTC on
   */
  readonly clock?: Clock | undefined;
  /**
   * Time limit for a run or an event on the clock of this machine, after which the action fails with the messages so
   * far; `'none'` disables the limit.
   *
   * @defaultValue `'3s'`
   */
  readonly limit?: Duration | 'none' | undefined;
  /**
   * Rejects an action when the bot logs a warning or an error because of it, such as the error of an event handler.
   * `close` rejects for log lines that belong to no action. `false` is for tests in which a failure is intended.
   *
   * @defaultValue true
   */
  readonly strict?: boolean | undefined;
  /**
   * Makes the platform listen on a port of this machine too, for code that downloads attachments, or for a browser.
   * The bot itself never needs the port.
   *
   * @defaultValue false
   */
  readonly network?: boolean | undefined;
  /** Behavior of the platform where its interface document is silent. @defaultValue the `profile` of the config */
  readonly profile?: ProfileSettings | undefined;
  /**
   * File that `virgule failed test` wrote. Its storage, time, random numbers and results of the platform are those of the test,
   * for `replay`; `strict` is false, and there is no `limit`. @defaultValue nothing is replayed
   */
  readonly failed?: URL | string | undefined;
  readonly log?: Log | undefined;
  /** Imports the project's files instead of Virgule's own loader, for example `(file) => import(file)`. */
  readonly importModule?: ImportModule | undefined;
}

/** Typed part of a command: its definition, as exported by its file. */
export type AnyCommand = Pick<CommandDefinition<never>, 'description'> & {
  readonly options?: unknown;
};

/** Commands of a bot by name, for the types of `run`. */
export type TestCommands = Readonly<Record<string, AnyCommand>>;

/** Options of a command, as input of its schema. */
export type OptionsOf<Command> = Command extends { readonly options?: infer Schema }
  ? NonNullable<Schema> extends z.core.$ZodObject
    ? z.input<NonNullable<Schema>>
    : Readonly<Record<string, unknown>>
  : Readonly<Record<string, unknown>>;

/** File of a message. */
export interface TestFile {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Effects of an event on the bot. */
export interface TestResult {
  /** Content of every message that the bot wrote because of the event, in its final state, oldest first. */
  readonly replies: readonly string[];
  /** Files of these messages. */
  readonly files: readonly TestFile[];
  /** Error of a handler, with its stack; `undefined` when no handler threw. */
  readonly error: unknown;
  /** Requests that the bot sent because of the event, in order. */
  readonly calls: readonly TestCall[];
  /** Commands that the handlers called, and that a language model called by `tools`, in order. */
  readonly called: readonly TestCalled[];
  /** Channel as a chat, for messages of failed tests. */
  readonly transcript: string;
}

/** Durations of a run, in milliseconds on the clock of the bot, each from the beginning of the run. */
export interface TestTimings {
  /** Time of the first message; `undefined` without one. */
  readonly answeredMs: number | undefined;
  /** Time at which the thinking state was requested; `undefined` without a request. */
  readonly deferredMs: number | undefined;
  /** Time at which the command had ended. */
  readonly endedMs: number;
}

/** Result of one command line. */
export interface TestRun extends TestResult {
  /** Content of the answer in its final state; `undefined` if the command did not answer. */
  readonly content: string | undefined;
  /** Content of the answer after each edit, in order. */
  readonly edits: readonly string[];
  /** Content of the other messages of this run, oldest first. */
  readonly followUps: readonly string[];
  /** True if the thinking state was shown. */
  readonly deferred: boolean;
  /** Final state of the interaction: `answered`, `acknowledged` or `expired`. */
  readonly state: string;
  /**
   * Outcome of the handler: `ok`, `input` if the line could not be parsed, `user-error` for a `UserError`,
   * `cooldown`, `busy`, `timed-out`, `stopped` or `failed`; `expired` if the handler missed its window.
   */
  readonly result: string;
  readonly timings: TestTimings;
}

/** Result of a message. */
export interface TestSaid extends TestResult {
  readonly message: SimMessage;
}

/** Options of `run`. */
export interface RunOptions {
  /**
   * Caller of the command: `message` writes a message with the prefix; `code` and `model` run the command as `call` and
   * `tools` do, whose answer is in the result only. With `as`, `code` runs the command for this user.
   *
   * @defaultValue `'slash'`
   */
  readonly via?: 'slash' | 'message' | 'code' | 'model' | undefined;
}

/** User in a channel. */
export interface TestActor<Commands extends TestCommands = TestCommands> {
  /** Returns an actor for another user, by username or id. */
  as(user: string): TestActor<Commands>;
  /** Returns an actor for another channel, by name or id, such as `#general`. */
  in(channel: string): TestActor<Commands>;
  /**
   * Runs a command with options, typed as the input of its schema, and waits for the command to end.
   *
   * @throws VirguleError `E_TEST_CALL` for an option that the command does not have, `E_CALL` for a command that is no tool
   * with `via: 'model'`, and the errors of a line.
   */
  run<Name extends keyof Commands & string>(
    name: Name,
    options: OptionsOf<Commands[Name]>,
    settings?: RunOptions,
  ): Promise<TestRun>;
  /**
   * Runs a line as a user types it, such as `/roll 20`, or `!roll 20` as a message, and waits for this command alone to end.
   *
   * @throws VirguleError `E_SIM_UNKNOWN` when the bot has no such command, `E_COMMAND_UNKNOWN` when no message or only a message
   * runs it, `E_TEST_LIMIT` when the command does not end.
   */
  run(line: string): Promise<TestRun>;
  /** Writes a message, and waits for the event handlers that it starts. @throws VirguleError `E_TEST_LIMIT`. */
  say(content: string): Promise<TestSaid>;
  /** Writes a message with files, and waits as `say` does. @throws VirguleError `E_TEST_LIMIT`. */
  attach(file: UserFile | readonly UserFile[], content?: string): Promise<TestSaid>;
  /**
   * Adds a reaction, and waits for the event handlers that it starts.
   *
   * @param to - message or its id. @defaultValue the message that asks in the channel, such as by `confirm()`, else
   * the newest one
   * @throws VirguleError `E_TEST_LIMIT`.
   */
  react(emoji: string, to?: string | { readonly id: string }): Promise<TestResult>;
}

/** Options of `TestBot.restart`. */
export interface RestartOptions {
  /**
   * Kills the process instead of stopping it: no request, write, timer or final reply of its handlers follows, and its
   * services are not disposed. Commands in flight have the result `stopped`.
   *
   * @defaultValue false: the bot stops as on SIGTERM
   */
  readonly kill?: boolean | undefined;
}

/** Bot on a private platform, both in this process. */
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

  /** Plays the record in the option `failed`, and waits for the failed run. @throws VirguleError `E_TEST_CALL` without one. */
  replay(): Promise<TestReplay>;

  /**
   * Starts all handlers and tasks that are due now. Resolves when each has ended or waits: for a user, a message, the
   * clock or a rate limit.
   *
   * @throws VirguleError `E_TEST_LIMIT`.
   */
  idle(): Promise<void>;
  /**
   * Applies files that the test has changed, added or deleted, as `virgule dev` does after a save: the bot keeps its
   * connection, its services and the state of other modules. With the plugin of vitest, Virgule's own loader imports
   * the files from then on, so mocks no longer apply.
   *
   * @param files - paths relative to the project's folder, such as `commands/roll.ts`.
   * @throws ProjectProblems if the files have problems: the bot then keeps the previous version. VirguleError
   * `E_TEST_CALL` for the services, the configuration, and their imports.
   */
  reload(...files: readonly string[]): Promise<void>;
  /**
   * Ends the process of the bot, and starts the next one on the same platform, storage and clock, with new services and
   * new modules. With the plugin of vitest, modules keep their state.
   *
   * @throws ProjectProblems and VirguleError as `createTestBot` does, and `E_TEST_STRICT` as `close` does.
   *
   * @example
   * ```ts
   * await bot.run('/remind 2h tea');
   * await bot.restart({ kill: true });
   * await bot.clock.advance('2h');
   * ```
   */
  restart(options?: RestartOptions): Promise<void>;
  /**
   * Plays a conversation: lines such as `#general`, `ada: /remind 2h tea`, `+2h`, `grace 👍` and `restart`.
   *
   * @param file - path relative to the project's folder, such as `conversations/remind.txt`
   * @returns the conversation with the messages of the bot.
   * @throws VirguleError `E_CONVERSATION` for a line that cannot be played, and the errors of `run`.
   *
   * @example
   * ```ts
   * expect(await bot.play('conversations/remind.txt')).toMatchSnapshot();
   * ```
   */
  play(file: string): Promise<string>;
  /** Breaks the connection of the bot, which connects again as the clock is advanced. */
  dropSocket(): void;
  /** Makes every command in flight expire now, like a command without an answer in time. */
  expire(): void;
  /**
   * Returns the changes that `virgule deploy` would make to the registered commands.
   *
   * @param registered - registered commands. @defaultValue none: every command is added
   */
  plan(registered?: readonly SyncCommandItem[]): SyncPlan;
  /** Services that `services.ts` returned, or those of the options. */
  readonly services: Services;
  readonly clock: TestClock;
  /** Platform with its messages, channels and users, and `setFaults`, which injects faults. */
  readonly platform: Simulator;
  /** @throws VirguleError `E_TEST_STRICT` when the bot has logged a warning or an error that belongs to no action. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
