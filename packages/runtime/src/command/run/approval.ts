import { isDeepStrictEqual } from 'node:util';
import { isNotFound } from '@virgule/client/rest';
import { readableError } from '@virgule/core/errors';
import { isObject, stringsIn } from '@virgule/core/objects';
import { showOnOneLine } from '@virgule/core/text';
import * as z from 'zod';
import type { CallParent, CallPlace, CallResult } from '../context/call.js';
import { createChannel } from '../context/channel-handle.js';
import { commandNamed, type Approval, type Command, type Commands } from '../define/command.js';
import type { BotEnvironment } from '../environment.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { readReference } from '../../options/references.js';
import { scopeOf } from '../lifetime.js';
import { passes } from '../waits/listener.js';
import { withoutMentions } from '../raw-input/input-failure.js';
import type { ConcurrencySlot } from '../throttle/concurrency-store.js';
import type { TaskAnswers } from '../../tasks/define-task.js';
import type { TaskAsks } from '../../tasks/task-asks.js';
import type { Task } from '../../tasks/task.js';

/** Name of the task that runs approved calls. No file has such a name. */
const NAME = ':approval';
/** Characters that a reader does not see: also a blank after a blank or at an end, and the third mark on a letter. */
const HIDDEN =
  /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]|(?<=^| ) | $|(?<=\p{M}\p{M})\p{M}/gu;
/** Maximum time from an approval, or from the deadline of its question, to the call, in milliseconds. */
const MAX_LATE_MS = 86_400_000;
/** Maximum number of open questions in a channel that are caused by messages of one author. */
const MAX_OPEN = 5;

const payloadSchema = z.object({
  command: z.string(),
  /** Words of the options. */
  options: z.record(z.string(), z.unknown()),
  serverId: z.string(),
  /** The call with a line for each option, in a frame. */
  line: z.string(),
  /** Author of the message that caused the call. */
  authorId: z.string().optional(),
});

type Payload = Readonly<z.output<typeof payloadSchema>>;
type Tasks = ReadonlyMap<string, Task>;

/** A call that needs approval. */
interface Asking {
  readonly env: BotEnvironment;
  readonly asks: TaskAsks;
  readonly parent: CallParent;
  readonly place: Required<CallPlace>;
  /** Words of `lineOfCall`, which the command has accepted. */
  readonly options: Payload['options'];
  /** Options of the run. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Returns the ids of the users who may approve a call: none if no one may. */
const approversOf = (tool: Command['tool'], authorId = ''): 'anyone' | readonly string[] => {
  const asks = typeof tool === 'object' ? tool.asks : [];
  return asks === 'author' ? [authorId].filter(Boolean) : asks;
};

/** Returns the task that waits for the approval of a call, and then makes the call. */
const approvalOf = (commands: Commands): Task => ({
  name: NAME,
  file: 'an approved call',
  schedule: null,
  payload: payloadSchema,
  waits: 'confirm',
  caller: 'model',
  // A mark under the question may be set again.
  isOnce: (answer) => Boolean(Object(answer).yes),
  // The command has its own timeout.
  timeoutMs: 86_400_000,
  retries: 0,
  backoffMs: 5_000,
  concurrency: 10,
  maxLateMs: Infinity,
  settings: {},
  async run({ answer, payload: stored, question, here, lateMs, call }) {
    // The queue has parsed the payload, and made the answer.
    const { command, options, serverId, line, authorId } = stored as Payload;
    const { yes, userId } = answer as TaskAnswers['confirm'];
    if (!yes || !userId)
      return question
        .edit(`${line}\n${userId === undefined ? '⌛' : '❌'}`)
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
    const current = commandNamed(commands, command);
    // A deploy may have changed who approves, or a default that users have seen.
    const isSame = current && frameOf(current, options) === line && lateMs <= MAX_LATE_MS;
    if (current && !(isSame && passes(approversOf(current.tool, authorId), userId)))
      throw runtimeErrors.E_CALL({ kind: 'approval', command });
    const at = { channelId: here.id, serverId };
    const { content, followUps, files } = await call(command, options, { at });
    const text = [content, ...followUps].filter(Boolean).join('\n');
    return { content: text || '✅', files, split: true };
  },
});

/** Returns the tasks of a project, with the one for approvals if a command needs approval. */
export const tasksOf = ({ tasks, commands }: { tasks: Tasks; commands: Commands }): Tasks =>
  [...commands.values()].some(({ tool }) => typeof tool === 'object')
    ? new Map([...tasks, [NAME, approvalOf(commands)]])
    : tasks;

/** Returns an option with a value that the question does not show. */
export const hiddenOption = (
  { spec }: Command,
  options: Payload['options'],
  values: Readonly<Record<string, unknown>>,
) =>
  spec.options.find(({ key, defaultText }) => {
    const shown = options[key] ?? defaultText;
    return shown === undefined && (values[key] ?? undefined) !== undefined;
  });

/**
 * Asks users to approve a call of a language model, and does not wait for their answer. A question that is open is not asked
 * again. Returns the text for the model.
 */
export async function askApproval(
  command: Command & { readonly tool: Approval },
  { env, asks, parent, place, options, values }: Asking,
): Promise<CallResult> {
  const { name, tool, file } = command;
  const { channelId, serverId } = place;
  const { authorId, signal } = parent;
  const by = approversOf(tool, authorId);
  const facts = { ...place, name };
  if (by.length === 0)
    return toModel(env.texts.authorUnknown({ ...facts, usage: undefined }), 'user-error');
  const line = frameOf(command, options);
  const hidden = hiddenOption(command, options, values);
  if (hidden) return toModel(`Not asked: ${hidden.key} needs a value that users can see.`, 'input');
  const text = env.texts.approval({ ...facts, line, users: by === 'anyone' ? [] : by });
  // Users must see all of what they approve; a long text is cut.
  if (!text.includes(line)) return toModel(TOO_LONG, 'input');
  let slot: ConcurrencySlot | null = null;
  try {
    // A model may make many calls at once.
    const turn = { max: 1, wait: true, signal };
    slot = await env.throttle.concurrency.acquire(`${NAME} ${channelId}`, turn);
    let open = slot ? 0 : MAX_OPEN;
    for await (const ask of asks.open(channelId)) {
      if (ask.task !== NAME) continue;
      const other = ask.payload as Payload;
      const isSame = other.line === line && isDeepStrictEqual(ask.by, by);
      if (!isSame && other.authorId?.toLowerCase() !== authorId?.toLowerCase()) continue;
      const reading = env.rest.messages.get(channelId, ask.messageId);
      // No user can answer a question that someone has deleted.
      if (await reading.then((message) => message?.isDeleted, isNotFound)) await asks.end(ask);
      else if (isSame) return toModel(ASKED, 'ok');
      else open += 1;
    }
    if (open >= MAX_OPEN) return toModel(TOO_MANY, 'busy');
    // Sent to the end, also if the caller is aborted: no one would wait for the answer to the message.
    const sending = { run: parent, since: null };
    const here = createChannel(channelId, env, scopeOf(env.ending), sending);
    const question = await here.send(text);
    const payload = { command: name, options, serverId, line, authorId };
    await env.tasks[NAME]?.ask(question, payload, { by, within: tool.within });
    return toModel(ASKED, 'ok');
  } catch (error) {
    if (signal.aborted) throw error;
    env.onError(error, file);
    env.log.error({ command: name, err: readableError(error) }, `could not ask for /${name}`);
    // An error may contain secrets, which a model must not read.
    return toModel(env.texts.failed({ ...place, cause: undefined }), 'failed');
  } finally {
    slot?.release();
  }
}

const TOO_LONG = 'Not asked: the call is too long to be shown.';
const ASKED = 'Asked. The answer will be in the chat.';
const TOO_MANY = `Not asked: ${MAX_OPEN} questions are open. Users must answer one of them first.`;

/**
 * Returns a call in a frame, with a line for each option that has a value or a default, and below it the users that it names: a
 * reader knows no ids, and the platform renders no mentions in a frame.
 */
function frameOf({ name, spec }: Command, options: Payload['options']): string {
  const rows = ['```', `/${name}`];
  const users: string[] = [];
  for (const { key, defaultText, expected, item = { expected } } of spec.options) {
    const value = options[key] ?? defaultText;
    if (value === undefined) continue;
    rows.push(`${key}: ${shownValue(value)}`);
    if (!['user', 'mentionable'].includes(item.expected.kind)) continue;
    // A role is no user: its members would all be notified.
    const read = stringsIn(value).map((word) => readReference(word, 'user'));
    const named = read.filter(isObject);
    if (named.length > 0) users.push(`${key}: ${named.join(' ')}`);
  }
  return [...rows, '```', ...users].join('\n');
}

/** Returns the whole value on one line. The text of a model must neither hide anything nor end the frame. */
function shownValue(value: unknown): string {
  const typed = typeof value === 'string' ? value : JSON.stringify(value);
  const text = showOnOneLine(typed.replaceAll('\\', '\\\\'));
  const escaped = text.replace(HIDDEN, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`);
  return withoutMentions(escaped).replaceAll('``', '`\u200B`');
}

/** Returns the result of a call that does not run now. */
function toModel(content: string, result: CallResult['result']): CallResult {
  return { content, followUps: [], files: [], result };
}
