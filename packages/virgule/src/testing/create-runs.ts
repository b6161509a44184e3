import { readFile, type FileInput } from '@virgule/client/rest';
import { turn } from '@virgule/core/clock';
import { checkKeys } from '@virgule/runtime/errors';
import { commandNamed, formatRawInput } from '@virgule/runtime/project';
import type { SimMessage } from '@virgule/core/simulator-api';
import { readLine } from '../terminal/read-line.js';
import type { ActivityRecord } from './activity-records.js';
import type { ActionsOptions, Place } from './create-actions.js';
import type { RunOptions, TestResult, TestRun } from './test-bot.js';
import { testingErrors } from './testing-errors.js';

type Values = Readonly<Record<string, unknown>>;

interface RunsOptions extends ActionsOptions {
  readonly inTime: (what: string, channelId: string, over: Promise<unknown>) => Promise<void>;
  readonly post: (
    place: Place,
    content: string,
  ) => Promise<{ readonly message: SimMessage; readonly record: ActivityRecord | undefined }>;
  readonly resultOf: (what: string, channelId: string, record?: ActivityRecord) => TestResult;
}

/** Creates the action that runs a command for each kind of caller. */
export function createRuns(options: RunsOptions) {
  const { bot, platform, records, clock, inTime, resultOf } = options;

  /** Returns the result of a run, by the id or the name of its work, with the answer for which the function returns true. */
  function runOf(
    key: string,
    [what, channelId, record]: Parameters<typeof resultOf>,
    isAnswer: (message: SimMessage) => boolean = () => false,
  ): TestRun {
    const outcome = record?.outcomes.findLast(({ id, name }) => id === key || name === key);
    const { result = 'stopped', error } = outcome ?? {};
    const own = [...(record?.messages.keys() ?? [])].flatMap((id) => platform.message(id) ?? []);
    const answer = own.find(isAnswer);
    return {
      content: answer?.isDeleted === false ? answer.content : undefined,
      edits: record?.messages.get(answer?.id ?? '')?.slice(1) ?? [],
      followUps: own
        .filter((each) => each !== answer && each.interactionId === answer?.interactionId)
        .map(({ content }) => content),
      deferred: false,
      state: answer ? 'answered' : 'acknowledged',
      result,
      timings: {
        answeredMs: record?.wroteAtMs,
        deferredMs: record?.calls.find(({ endpoint }) => endpoint === 'interactions.defer')?.atMs,
        endedMs: clock.monotonic() - (record?.startMs ?? clock.monotonic()),
      },
      ...resultOf(what, channelId, record),
      error,
    };
  }

  async function runSlash(place: Place, line: string): Promise<TestRun> {
    const { id, channelId } = platform.run({ rawInput: line, ...place });
    const [found] = records.next('APPLICATION_COMMAND', id);
    const expired = new Promise<void>((resolve) => {
      const stop = platform.on((event) => {
        if (event.type !== 'interaction' || event.interaction.id !== id) return;
        if (event.interaction.state === 'expired') resolve();
        if (event.interaction.expiresAt === null) stop();
      });
    });
    // A handler that missed its window may never end; every other handler is awaited.
    const done = Promise.race([expired.then(turn), found.then((record) => record.ended)]);
    await inTime(line, channelId, done);
    const record = records.of(`/interactions/${id}/`);
    const { state = 'expired', responseMessageId, wasDeferred } = platform.interaction(id) ?? {};
    const run = runOf(id, [line, channelId, record], (each) => each.id === responseMessageId);
    const isMissed =
      record?.outcomes.some((work) => work.id === id) !== true && state === 'expired';
    const result = isMissed ? 'expired' : run.result;
    return { ...run, deferred: wasDeferred === true, state, result };
  }

  async function runMessage(place: Place, line: string): Promise<TestRun> {
    const { line: written, unknown } = readTyped(line);
    const { message, record } = await options.post(place, written);
    const { id, channelId } = message;
    const isAnswer = ({ replyTo }: SimMessage): boolean => replyTo?.['messageId'] === id;
    const run = runOf(id, [line, channelId, record], isAnswer);
    if (!unknown) return run;
    const [content] = run.replies;
    const failed = record?.outcomes.find(({ kind, error }) => kind === 'event' && error);
    if (content === undefined && !failed) throw unknown;
    // The handler of an event has answered, or has failed.
    return { ...run, content, result: failed ? 'failed' : 'ok', error: failed?.error };
  }

  const readTyped = (line: string) =>
    readLine(line, bot.project.commands.values(), options.prefix, platform.snapshot());

  /** Runs a command for code or a model. The platform gets nothing of the answer. */
  async function runCall(
    { as, channel }: Place,
    name: string,
    values: Values,
    caller: 'code' | 'model',
  ): Promise<TestRun> {
    const { id: channelId } = platform.channel(channel);
    const { serverId } = platform.snapshot().channels.find(({ id }) => id === channelId) ?? {};
    const parent = { place: { channelId, serverId }, caller, signal: options.closing };
    const settings = as === undefined ? {} : { as: platform.user(as) };
    const { call, tools } = bot.calls(parent);
    const { record, result: calling } = records.run(async () => {
      // Refuses a command that is no tool.
      if (caller === 'model') tools(name);
      return call(name, values, settings);
    });
    record.running.delete('handler');
    await inTime(`/${name}`, channelId, calling);
    const killed = { content: undefined, followUps: [], files: [], result: 'stopped' };
    const called = await Promise.race([calling, options.killed.then(() => killed)]);
    const { content, followUps, result } = called;
    const run = runOf(name, [`/${name}`, channelId, record]);
    const answers = [content, ...followUps].filter((each) => each !== undefined);
    return {
      ...run,
      content,
      followUps,
      result,
      state: content === undefined ? 'acknowledged' : 'answered',
      replies: [...answers, ...run.replies],
      files: [...(await Promise.all(called.files.map(sized))), ...run.files],
    };
  }

  /** Returns the name and the size of a file that is not sent. */
  async function sized(file: FileInput, index: number) {
    const { root, closing: signal } = options;
    const read = await readFile(file, index, { endpoint: 'call', root, signal });
    return { name: read.fileName, size: read.blob.size };
  }

  /** Returns the command with a name, and the line of its options. */
  function typed(name: string, values: Values) {
    const command = commandNamed(bot.project.commands, name);
    // The platform reports a command that does not exist.
    if (!command) return { name, line: `/${name}` };
    const known = command.spec.options.map(({ key }) => key);
    const key = Object.keys(values).find((each) => !known.includes(each));
    if (key !== undefined)
      throw testingErrors.E_TEST_CALL({ kind: 'option', command: command.name, key, known });
    return { name: command.name, line: formatRawInput(command, values) };
  }

  return async (
    place: Place,
    nameOrLine: string,
    values?: Values,
    runOptions: RunOptions = {},
  ): Promise<TestRun> => {
    checkKeys('run()', runOptions, ['via']);
    const { via = 'slash' } = runOptions;
    if (values === undefined) {
      const { isMessage, name, unknown } = readTyped(nameOrLine);
      if (isMessage) return runMessage(place, nameOrLine);
      const command = commandNamed(bot.project.commands, name.slice(1));
      if (unknown && command?.messages) throw unknown;
      return runSlash(place, nameOrLine);
    }
    const { name, line } = typed(nameOrLine.replace(/^\//, ''), values);
    if (via === 'slash') return runSlash(place, line);
    return via === 'message'
      ? runMessage(place, options.prefix + line.slice(1))
      : runCall(place, name, values, via);
  };
}
