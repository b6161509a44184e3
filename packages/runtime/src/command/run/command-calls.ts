import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { linkSignals, onAbort } from '@virgule/core/abort';
import { isVirguleError } from '@virgule/core/errors';
import { describeSeen } from '@virgule/core/objects';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { CallAnswer } from '../answer/call-answer.js';
import type { CallOptions, CallParent, CallPlace, CallResult, Calls } from '../context/call.js';
import { authorFrom } from '../author.js';
import { commandNamed, nameOf, type Command, type Commands } from '../define/command.js';
import { isId } from '../../options/references.js';
import type { BotEnvironment } from '../environment.js';
import { lineOfCall } from '../raw-input/line-of-call.js';
import { parseRawInput } from '../raw-input/parse-raw-input.js';
import type { TaskAsks } from '../../tasks/task-asks.js';
import type { CommandRun, CommandRunInit } from './command-run.js';
import { startRun } from './run-command.js';
import { askApproval, hiddenOption } from './approval.js';
import { toTool } from '../context/to-tool.js';

/** Maximum number of commands inside each other. */
const MAX_DEPTH = 4;

/** The parts of a bot that calls use. */
interface CallParts {
  readonly env: BotEnvironment;
  readonly asks: TaskAsks;
  readonly commands: Commands;
}

/** @param parts - returns the parts at each call: a reload replaces the commands. */
export function createCalls(parts: () => CallParts): Calls {
  /** Returns the command with a name or a default export. */
  function find(target: unknown): Command {
    const name = nameOf(target);
    const { commands } = parts();
    const command = name === undefined ? undefined : commandNamed(commands, name);
    if (command) return command;
    const saw = name === undefined ? describeSeen(target) : `/${name}`;
    throw runtimeErrors.E_CALL({ kind: 'unknown', saw, known: [...commands.keys()] });
  }

  return (parent) => ({
    call: async (target, options, settings) =>
      callCommand(parent, find(target), options, { ...settings, caller: 'code' }, parts()),
    tools(...listed) {
      const readers = [...parts().commands.values()].filter(({ tool }) => tool === 'reads');
      const chosen = listed.length > 0 ? listed.flat().map(find) : readers;
      const tools = chosen.map(({ name, tool }) => {
        /** Returns the command now: a reload may have changed its effect. */
        const current = (): Command => {
          const command = find(name);
          if (tool && isDeepStrictEqual(command.tool, tool)) return command;
          throw runtimeErrors.E_CALL({ kind: 'tool', command: name });
        };
        placeOf(parent, {}, name);
        const made = toTool(current(), async (options, signal) =>
          callCommand(parent, current(), options, { caller: 'model', signal }, parts()),
        );
        return [name, made] as const;
      });
      return Object.fromEntries(tools);
    },
  });
}

/** Runs a command as the line that a user would type for the options. The answer stays in memory. */
async function callCommand(
  parent: CallParent,
  command: Command,
  options: unknown,
  settings: CallOptions & {
    readonly caller: 'code' | 'model';
    readonly signal?: AbortSignal | undefined;
  },
  parts: Omit<CallParts, 'commands'>,
): Promise<CallResult> {
  const { env } = parts;
  const { name, tool } = command;
  const { around = [], authorId } = parent;
  const { channelId, serverId } = placeOf(parent, settings, name);
  const place = { channelId, serverId: serverId || (await env.serverOf(channelId)) };
  if (parent.isOver || parent.signal.aborted || settings.signal?.aborted)
    throw runtimeErrors.E_CALL({ kind: 'late', command: name });
  if (around.length >= MAX_DEPTH)
    throw runtimeErrors.E_CALL({ kind: 'depth', command: name, around });
  // Below a model, code runs for the model too: a guard cannot be passed through another command.
  const caller = parent.caller === 'model' ? 'model' : settings.caller;
  const onlyChannelId = caller === 'model' ? place.channelId : undefined;
  const lined = lineOfCall(command, options, onlyChannelId);
  const { line: rawInput, words } = lined;
  let { refused } = lined;
  // The call of an approval runs inside no command, and is no call of a tool.
  const isAsked = caller === 'model' && (settings.caller === 'model' || around.length > 0);
  if (caller === 'model' && typeof tool === 'object' && !refused) {
    const parsed = await parseRawInput(rawInput, command, undefined, env.isAttachment);
    if (!parsed.ok) refused = parsed;
    else if (isAsked) {
      const asking = { ...parts, place, parent, options: words, values: parsed.options };
      return env.activity.hold(askApproval({ ...command, tool }, asking));
    } else if (hiddenOption(command, words, parsed.options)) {
      // A deploy may have added an option since a user approved the call.
      throw runtimeErrors.E_CALL({ kind: 'approval', command: name });
    }
  }
  const event = { interactionId: `call:${randomUUID()}`, ...place, name, rawInput };
  const received = { command, event, receivedAtMs: env.clock.monotonic() };
  const answer = new CallAnswer(received, env);
  const ended = linkSignals(parent.signal, settings.signal);
  let run: CommandRun | undefined;
  const init: CommandRunInit = {
    ...received,
    cause: 'blocked',
    caller,
    author: authorFrom({ ...(caller === 'code' && settings.as) }),
    authorId,
    around,
    refused,
    open: (opened) => {
      run = opened;
      // A timeout of the caller, or the end of the bot, is the reason of the command too.
      onAbort(ended.signal, (reason) =>
        opened.lifetime.stop(
          isVirguleError(reason) ? reason : runtimeErrors.E_HANDLER_STOPPED({ by: 'caller' }),
        ),
      );
      return answer;
    },
  };
  const running = startRun(init, env);
  env.activity.track(running);
  await running;
  ended.unlink();
  const { content, followUps, files } = answer;
  return { content, followUps: [...followUps], files: [...files], result: run?.result ?? 'failed' };
}

function placeOf({ place }: CallParent, { at = place }: CallOptions, command: string): CallPlace {
  // JavaScript may pass anything.
  if (!at || !isId(at.channelId)) throw runtimeErrors.E_CALL({ kind: 'channel', command });
  return at;
}
