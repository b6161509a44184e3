import { systemRandom } from '@virgule/core/clock';
import { isObject } from '@virgule/core/objects';
import type {
  ChannelHandle,
  CommandContext,
  MessageInput,
  SentMessage,
  Services,
} from '@virgule/runtime';
import { durationMs } from '@virgule/runtime/project';
import * as z from 'zod';
import type { OptionsOf } from './test-bot.js';
import { testingErrors } from './testing-errors.js';
import { withHint } from './with-hint.js';

type Handler = (context: never) => unknown;

/** Command, or the module of its file: with a default export, or with `import * as` for plain exports. */
export type InvokedCommand =
  | { readonly run: Handler; readonly options?: unknown; readonly meta?: object | undefined }
  | { readonly default: InvokedCommand | Handler; readonly options?: unknown };

type OptionsIn<Command> = Command extends { readonly run: Handler }
  ? OptionsOf<Command>
  : Command extends { readonly default: infer Inner extends { readonly run: Handler } }
    ? OptionsOf<Inner>
    : OptionsOf<Command>;

/** Members of the context that a test provides. */
export type InvokeContext<Options = Readonly<Record<string, unknown>>> = Partial<
  Omit<CommandContext, 'options' | 'services' | 'channel'>
> & {
  readonly services?: Partial<Services> | undefined;
  readonly channel?: ((channelId: string) => ChannelHandle) | undefined;
} & (Record<never, never> extends Options
    ? { readonly options?: Options | undefined }
    : { readonly options: Options });

/** Messages that a handler wrote. */
export interface Invoked {
  /** Content of the answer in its final state; `undefined` if the handler did not answer. */
  readonly content: string | undefined;
  /** Content of the answer after each edit, in order. */
  readonly edits: readonly string[];
  /** Content of its other messages, oldest first. */
  readonly followUps: readonly string[];
}

/** Initial time of a handler's clock, equal to the time of a test bot. */
const START_MS = Date.UTC(2026, 0, 1);

/**
 * Calls the handler of one command, without a bot or a platform. The context contains the options as the schema
 * outputs them, `reply`, `edit`, `append`, `defer`, a `clock` whose sleeps end at once, and a `log` that writes
 * nothing. All other members come from `context`.
 *
 * @returns the messages of the handler. Rejects with the error of the handler.
 * @throws ZodError for invalid options, VirguleError `E_TEST_CALL` when the handler uses a member that it was not
 * given.
 *
 * @example
 * ```ts
 * import roll from '../commands/roll.js';
 *
 * const { content } = await invoke(roll, { options: { sides: 20 }, random: () => 0.5 });
 * ```
 */
export async function invoke<const Command extends InvokedCommand>(
  command: Command,
  ...[given]: Record<never, never> extends OptionsIn<Command>
    ? [context?: InvokeContext<OptionsIn<Command>>]
    : [context: InvokeContext<OptionsIn<Command>>]
): Promise<Invoked> {
  const { run, schema, meta } = partsOf(command);
  // `defineCommand` accepts only zod schemas.
  const options: unknown = schema
    ? await z.parseAsync(schema as z.core.$ZodType, given?.options ?? {})
    : {};
  const written = new Written();
  const context: object = { ...defaults(written, meta), ...given, options };
  await written.take(await run(strict(context) as never));
  return written;
}

function partsOf(command: InvokedCommand): {
  readonly run: Handler;
  readonly schema: unknown;
  readonly meta: object | undefined;
} {
  if ('run' in command) return { run: command.run, schema: command.options, meta: command.meta };
  const inner = command.default;
  return typeof inner === 'function'
    ? { run: inner, schema: command.options, meta: undefined }
    : partsOf(inner);
}

/**
 * Returns a context that reports the use of a missing member: with `undefined`, the handler would fail far from the
 * cause.
 */
function strict(context: object): object {
  return new Proxy(context, {
    get(target, key): unknown {
      if (typeof key === 'string' && !(key in target) && key !== 'then')
        throw withHint(testingErrors.E_TEST_CALL({ kind: 'context', member: key }));
      return Reflect.get(target, key);
    },
  });
}

function defaults(written: Written, meta: object = {}) {
  let nowMs = START_MS;
  const ignore = (): void => {};
  return {
    reply: (input: MessageInput) => written.reply(input),
    edit: async (input: MessageInput) => written.write(input),
    append: (source: AsyncIterable<string> | Iterable<string>) => written.append(source),
    defer: async () => {},
    clock: {
      now: () => nowMs,
      sleep: async (duration: string) => void (nowMs += durationMs(duration) ?? 0),
    },
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore, isLevelEnabled: () => false },
    random: systemRandom,
    locals: {},
    meta,
    signal: new AbortController().signal,
  };
}

const contentOf = (input: MessageInput): string =>
  isObject(input) ? (input.content ?? '') : String(input);

/** Messages of one handler. The first answer creates a message; later answers edit that message. */
class Written implements Invoked {
  content: string | undefined;
  readonly edits: string[] = [];
  readonly followUps: string[] = [];
  readonly #handles = new Set<unknown>();

  write(input: MessageInput): void {
    if (this.content !== undefined) this.edits.push(contentOf(input));
    this.content = contentOf(input);
  }

  async reply(input: MessageInput): Promise<SentMessage> {
    if (this.content === undefined) {
      this.write(input);
      return this.#handle(
        () => this.content ?? '',
        (next) => this.write(next),
      );
    }
    const at = this.followUps.push(contentOf(input)) - 1;
    return this.#handle(
      () => this.followUps[at] ?? '',
      (next) => void (this.followUps[at] = contentOf(next)),
    );
  }

  async append(source: AsyncIterable<string> | Iterable<string>): Promise<readonly SentMessage[]> {
    const pieces: string[] = [];
    for await (const piece of typeof source === 'string' ? [source] : source) pieces.push(piece);
    const text = pieces.join('');
    return text === '' ? [] : [await this.reply(text)];
  }

  /** Receives the result of a handler: an answer, or a generator of its states. */
  async take(result: unknown): Promise<void> {
    if (isObject(result) && (Symbol.asyncIterator in result || Symbol.iterator in result)) {
      const states = result as AsyncGenerator<MessageInput> | Generator<MessageInput>;
      if (typeof states.next !== 'function') return;
      for (let state = await states.next(); ; state = await states.next()) {
        await this.take(state.value);
        if (state.done) return;
      }
    }
    if (result === null || result === undefined || this.#handles.has(result)) return;
    this.write(result as MessageInput);
  }

  #handle(content: () => string, edit: (input: MessageInput) => void): SentMessage {
    const refuse = (member: string) => async (): Promise<never> => {
      throw withHint(testingErrors.E_TEST_CALL({ kind: 'context', member }));
    };
    const handle: SentMessage = {
      id: undefined,
      get content() {
        return content();
      },
      edit: async (input) => edit(input),
      react: refuse('reply().react'),
      unreact: refuse('reply().unreact'),
      delete: refuse('reply().delete'),
      message: refuse('reply().message'),
    };
    this.#handles.add(handle);
    return handle;
  }
}
