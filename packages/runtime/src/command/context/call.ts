import type { FileInput } from '@virgule/client/rest';
import type { z } from 'zod';
import type { Caller } from '../answer/received-command.js';
import type { Author } from '../author.js';
import type { RunResult } from '../observer.js';
import type { CommandTool } from './to-tool.js';

/** Channel of a run. */
export interface CallPlace {
  readonly channelId: string;
  /** Id of the server, for handlers and limits that need one. @defaultValue the server of the channel; empty if it is unknown */
  readonly serverId?: string | undefined;
}

/** Options of `call`. */
export interface CallOptions {
  /** Channel in which the command runs. A task, and an event without a channel, must name one. @defaultValue the channel of the caller */
  readonly at?: CallPlace | undefined;
  /**
   * User for whom the command runs, as its `author`: pass on the `author` of the caller, or one made from a message. Ignored
   * for a language model, and for the commands that it calls.
   *
   * @defaultValue no user, so that the guards of authors refuse
   */
  readonly as?: (Pick<Author, 'id'> & Partial<Author>) | undefined;
}

/** Outcome of a called command, which the platform does not receive. */
export interface CallResult {
  /** Text of the answer, or the reason for the user why the command did not run; `undefined` for silence. */
  readonly content: string | undefined;
  readonly followUps: readonly string[];
  /** Files of all messages, not uploaded yet, for `reply({ content, files })`. */
  readonly files: readonly FileInput[];
  /** Result of the run: `'ok'`, or the reason why the command did not answer, such as `'input'`, `'cooldown'` or `'failed'`. */
  readonly result: RunResult;
}

/** The part of a command's definition that types a call of the command. */
interface Callable<Options extends z.core.$ZodType> {
  readonly description: string;
  readonly options?: Options | undefined;
}

/**
 * Runs a command as a user would, imported or by its name, and returns its answer. Guards, limits and error files apply; a
 * refusal is a result. A command that is running already around this call is refused as busy.
 *
 * @throws VirguleError `E_CALL` for an unknown command, without a channel, after the caller has ended, and for a fifth command
 * inside four others.
 */
export type CallCommand = <Options extends z.core.$ZodType>(
  command: string | Callable<Options>,
  options: z.input<Options>,
  settings?: CallOptions,
) => Promise<CallResult>;

/**
 * Returns the commands with `tool: 'reads'` as tools, or exactly the given commands, by name or imported: `tools()`,
 * `tools('a', 'b')`. Pass an array as it is, `tools(names)`: an empty array has no tools. The tools run in this channel until
 * the handler ends, with `caller: 'model'` and without an author.
 *
 * @throws VirguleError `E_CALL` for a command without `tool`, and without a channel.
 */
export type CreateTools = (
  ...commands: [] | [named: Called, ...more: Called[]] | [list: readonly Called[]]
) => Readonly<Record<string, CommandTool>>;

/** A command, by name or imported. */
type Called = string | Callable<z.core.$ZodType>;

/** A run that calls commands. */
export interface CallParent {
  /** `undefined` in a task, and for an event without a channel. */
  readonly place: CallPlace | undefined;
  /** Names of the commands around the call, outermost first. @defaultValue none */
  readonly around?: readonly string[];
  /** @defaultValue an event or a task */
  readonly caller?: Caller | undefined;
  /** `true` after the end of a run whose signal is not aborted then. */
  readonly isOver?: boolean;
  /** Id of the author of the message that caused the run. */
  readonly authorId?: string | undefined;
  /** Counts a message of the run; see `HandlerRun`. */
  readonly showing?: (what: 'message' | 'typing') => (() => void) | undefined;
  /** Notes for the next start that the run sends a message, which may be a question of a task. */
  readonly remember?: () => void;
  /** Removes the note: the question is stored. Resolves when the disk has that. */
  readonly finish?: () => Promise<void>;
  /** Ends the calls. */
  readonly signal: AbortSignal;
}

/** Returns the members of a context that call commands. */
export type Calls = (parent: CallParent) => {
  readonly call: CallCommand;
  readonly tools: CreateTools;
};
