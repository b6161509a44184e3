import type { Rest } from '@virgule/client/rest';
import { isFakeClock, type Clock } from '@virgule/core/clock';
import { isRecord } from '@virgule/core/objects';
import type { Bot } from '@virgule/runtime';
import { observedRest, type ObservedWait } from '@virgule/runtime/bot';
import type { Project } from '@virgule/runtime/project';
import type { ActivityRecord, ActivityRecords } from './activity-records.js';

/** Returns whether an argument names files to send: reading files takes real time. */
const mayReadFiles = (argument: unknown): boolean => isRecord(argument) && 'files' in argument;

/**
 * Distinguishes handlers that work from waiting handlers. A handler waits for time, for a user, or for the platform,
 * which is in memory and answers at once or when the clock is advanced.
 */
export function createWork(records: ActivityRecords, clock: Clock) {
  const waits = new Set<{ readonly record: ActivityRecord | undefined }>();
  /** Waits for users, oldest first, with the record of their handler. */
  const asked = new Map<ObservedWait, ActivityRecord | undefined>();
  const tasks = new Map<ActivityRecord, string>();

  async function during<Result>(call: Promise<Result>): Promise<Result> {
    // The time of a real clock passes by itself, so such a wait ends soon.
    if (!isFakeClock(clock)) return call;
    const wait = { record: records.current() };
    waits.add(wait);
    try {
      return await call;
    } finally {
      waits.delete(wait);
    }
  }

  /** Returns the record of each wait, except waits of ended handlers. */
  function waiters(): readonly (ActivityRecord | undefined)[] {
    const owners = [...waits].map(({ record }) => record);
    for (const [wait, record] of asked) {
      if (!wait.isOpen) asked.delete(wait);
      else if (wait.isAwaited) owners.push(record);
    }
    return owners.filter((record) => !record?.hasEnded);
  }

  return {
    during,
    opened(wait: ObservedWait): void {
      asked.set(wait, records.current());
    },
    /** Returns a client whose calls are waits, unless a call reads files. */
    rest: (rest: Rest): Rest =>
      observedRest(rest)((_, call, given) => {
        const result = call();
        return result instanceof Promise && !given.some(mayReadFiles) ? during(result) : result;
      }),
    /** Returns a project in which each run of a task has its own record, and calls of commands are recorded. */
    project(project: Project): Project {
      const recorded = [...project.tasks].map(([name, task]) => {
        const run: typeof task.run = (context) =>
          records.run(async (record) => {
            tasks.set(record, name);
            try {
              return await task.run(context);
            } finally {
              tasks.delete(record);
            }
          }, records.logged).result;
        return [name, { ...task, run }] as const;
      });
      const commands = [...project.commands].map(([name, command]) => {
        const run: typeof command.run = (context) => {
          const { caller, options, raw } = context;
          const record = records.current();
          if (record && (caller === 'code' || caller === 'model')) {
            record.called.push({ command: name, options, caller });
            record.running.add(raw.interactionId);
          }
          return command.run(context);
        };
        return [name, { ...command, run }] as const;
      });
      return { ...project, commands: new Map(commands), tasks: new Map(recorded) };
    },
    /** Returns the name of a task with a working run; `undefined` if every run waits. */
    workingTask(): string | undefined {
      if (tasks.size === 0) return undefined;
      const idle = new Set(waiters());
      for (const [record, name] of tasks) if (!idle.has(record)) return name;
      return undefined;
    },
    /** Returns whether every handler of a bot waits. Several waits of one handler count once. */
    isIdle(bot: Bot): boolean {
      const owners = waiters();
      const known = owners.filter((record) => record !== undefined);
      // A handler and the commands that it calls wait together.
      const together = [...new Set(known)].map(({ running }) => running.size);
      const unknown = owners.length - known.length;
      return bot.running <= together.reduce((sum, count) => sum + count, unknown);
    },
    /** Returns the messages of a channel to which handlers wait for reactions, newest wait last. */
    asking: (channelId: string): readonly string[] =>
      [...asked.keys()].flatMap(({ isOpen, channelId: place, messageId }) =>
        isOpen && place === channelId && messageId !== undefined ? [messageId] : [],
      ),
  };
}

export type Work = ReturnType<typeof createWork>;
