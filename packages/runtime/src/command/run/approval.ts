import { showOnOneLine } from '@virgule/core/text';
import * as z from 'zod';
import type { CallParent, CallPlace, CallResult } from '../context/call.js';
import { createChannel } from '../context/channel-handle.js';
import type { Approval, Command } from '../define/command.js';
import { textContext, type BotEnvironment } from '../environment.js';
import { scopeOf } from '../lifetime.js';
import { withoutMentions } from '../raw-input/input-failure.js';
import type { TaskAnswers } from '../../tasks/define-task.js';
import type { Task } from '../../tasks/task.js';

/** Name of the task that runs approved calls. No file has such a name. */
const NAME = ':approval';
/** Maximum length of a line with its frame, so that its question fits in a message. */
const MAX_LENGTH = 1_700;

const payloadSchema = z.object({
  command: z.string(),
  options: z.record(z.string(), z.unknown()),
  serverId: z.string(),
  /** The line of the call, in a frame. */
  line: z.string(),
});

/** Task that waits for the approval of a call, and then makes the call. */
const approval: Task = {
  name: NAME,
  file: 'an approved call',
  schedule: null,
  payload: payloadSchema,
  waits: 'confirm',
  caller: 'model',
  isOnce: true,
  // The command has its own timeout.
  timeoutMs: 86_400_000,
  retries: 0,
  backoffMs: 0,
  concurrency: 10,
  maxLateMs: Infinity,
  settings: {},
  async run({ answer, payload: stored, question, here, call }) {
    // The queue has parsed the payload, and made the answer.
    const { command, options, serverId, line } = stored as z.output<typeof payloadSchema>;
    const { yes, userId } = answer as TaskAnswers['confirm'];
    if (!yes) return question.edit(`${line}\n${userId === undefined ? '⌛' : '❌'}`);
    const at = { channelId: here.id, serverId };
    const { content, followUps, files } = await call(command, options, { at });
    const text = [content, ...followUps].filter(Boolean).join('\n');
    return { content: text || '✅', files, split: true };
  },
};

/** The parts of a project that make its tasks. */
interface Parts {
  readonly tasks: ReadonlyMap<string, Task>;
  readonly commands: ReadonlyMap<string, Pick<Command, 'tool'>>;
}

/** Returns the tasks of a project, with the one for approvals if a command needs approval. */
export const tasksOf = ({ tasks, commands }: Parts): Parts['tasks'] =>
  [...commands.values()].some(({ tool }) => typeof tool === 'object')
    ? new Map([...tasks, [NAME, approval]])
    : tasks;

/** A call of a language model that needs approval. */
interface AskedCall {
  readonly name: string;
  readonly options: unknown;
  /** The call as the line that a user would type. */
  readonly line: string;
  readonly place: Required<CallPlace>;
  readonly parent: CallParent;
}

/** Asks users to approve a call, and does not wait for their answer. Returns the text for the model. */
export async function askApproval(
  { asks, within }: Approval,
  { name, options, line: typed, place, parent }: AskedCall,
  env: BotEnvironment,
): Promise<CallResult> {
  const by = asks === 'author' ? parent.authorId && [parent.authorId] : asks;
  const facts = { ...textContext(env, place), name };
  if (!by) return toModel(env.texts.authorUnknown({ ...facts, usage: undefined }), 'user-error');
  // A user who approves must see the whole line, and the text of a model must not end the frame.
  const shown = withoutMentions(showOnOneLine(typed)).replaceAll('``', '`\u200B`');
  const line = `\`\`\`\n${shown}\n\`\`\``;
  if (line.length > MAX_LENGTH) return toModel('This call is too long to be approved.', 'input');
  const { channelId, serverId } = place;
  const here = createChannel(channelId, env, scopeOf(parent.signal), { run: parent });
  const question = await here.send(env.texts.approval({ ...facts, line }));
  const payload = { command: name, options: options ?? {}, serverId, line };
  await env.tasks[NAME]?.ask(question, payload, { by, within });
  return toModel('Asked. The answer will be in the chat.', 'ok');
}

function toModel(content: string, result: CallResult['result']): CallResult {
  return { content, followUps: [], files: [], result };
}
