import { resolve } from 'node:path';
import type { Rest } from '@virgule/client/rest';
import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import type { SyncCommandItem } from '@virgule/core/protocol';
import { wireCommands, type Project } from '@virgule/runtime/project';
import { applySync, planSync, type SyncPlan } from '@virgule/runtime/sync';
import type { Loader } from '../../loader/create-loader.js';
import { toSimProblem } from '../../project/project-problems.js';
import type { ProjectReader } from '../../project/project-reader.js';
import type { CommandChanges, ReloadOutcome } from '../ipc.js';

export interface ReloaderOptions {
  readonly root: string;
  readonly loader: Pick<Loader, 'apply'>;
  readonly reader: Pick<ProjectReader, 'read'>;
  /** Activates this project: events are handled by its code from now on. */
  readonly use: (project: Project) => void;
  /** Removes secrets from problems. @defaultValue problems stay unchanged */
  readonly redact?: ((text: string) => string) | undefined;
  /** Registers the commands, and returns the changes; called for each change, and if asked without a change. */
  readonly sync: (project: Project, isAsked: boolean) => Promise<CommandChanges | null>;
}

/** Creates the function that applies changed files to a running bot. */
export function createReloader({ root, loader, reader, use, sync, redact }: ReloaderOptions) {
  /** Applies changed files, given by absolute paths, and registers the commands; one call at a time. */
  return async (files: readonly string[]): Promise<ReloadOutcome> => {
    const found: VirguleError[] = [];
    /** Records a problem of the project. Any other error is a bug. */
    const note = (error: unknown): null => {
      found.push(orThrow(error));
      return null;
    };
    let outcome: Omit<ReloadOutcome, 'problems'> = { isNew: false, evaluated: 0, commands: null };
    try {
      const { evaluated, failures, restart } = await loader.apply(files);
      failures.forEach(note);
      const { project, isNew, problems } = await reader.read(files, evaluated);
      // Other problems of a file that failed are those of its previous version.
      const failed = new Set(found.map(({ location }) => location && resolve(root, location.file)));
      const isCurrent = ({ location }: VirguleError): boolean =>
        location === undefined || !failed.has(resolve(root, location.file));
      found.push(...problems.filter(isCurrent));
      if (isNew) use(project);
      const commands = await sync(project, files.length === 0).catch(note);
      outcome = { isNew, evaluated: evaluated.length, commands, restart };
    } catch (error) {
      note(error);
    }
    return { ...outcome, problems: found.map((problem) => toSimProblem(problem, root, redact)) };
  };
}

/** Returns a problem of the project. Any other error is a bug and is thrown: the process ends, and a new one starts. */
export function orThrow(error: unknown): VirguleError {
  if (isVirguleError(error)) return error;
  throw error;
}

/** Deadline of a call, long enough for a slow network: while the platform is unreachable, the result of each save is delayed by it. */
const CALL_TIMEOUT_MS = 5_000;

/** Keeps the registered commands of a simulator equal to the project's commands, or compares them on a real platform. */
export function createCommandSync(remote: Rest['commands'], deadlineMs = CALL_TIMEOUT_MS) {
  const commands: Pick<Rest['commands'], 'list' | 'replace'> = {
    list: (call) => remote.list({ ...call, deadlineMs }),
    replace: (items, call) => remote.replace(items, { ...call, deadlineMs }),
  };
  /** Commands that were registered, or compared, last. */
  let last: readonly SyncCommandItem[] | undefined;

  /** Returns whether the commands of a project are the commands of the last successful `sync` or `plan`. */
  const isCurrent = (project: Project): boolean =>
    last !== undefined && isSame(wireCommands(project), last);

  return {
    isCurrent,
    /**
     * Registers the changed commands, and deletes commands without a file; `null` if nothing has changed.
     * @throws VirguleError when the platform refuses or does not answer in time; the next call tries again.
     */
    async sync(project: Project): Promise<CommandChanges | null> {
      if (isCurrent(project)) return null;
      const local = wireCommands(project);
      const plan = planSync(local, await commands.list());
      if (!plan.empty) await applySync({ commands, local, plan, allowDelete: true });
      last = local;
      return plan.empty ? null : changesOf(plan);
    },
    /** Compares the commands with the registered ones. @throws VirguleError as `sync` does. */
    async plan(project: Project): Promise<CommandChanges> {
      const local = wireCommands(project);
      const plan = planSync(local, await commands.list());
      last = local;
      return changesOf(plan);
    },
  };
}

/** Returns whether two lists are equal on the wire. After a save, most of a thousand commands are identical objects. */
const isSame = (a: readonly SyncCommandItem[], b: readonly SyncCommandItem[]): boolean =>
  a.length === b.length &&
  a.every((item, n) => item === b[n] || JSON.stringify(item) === JSON.stringify(b[n]));

function changesOf({ add, change, remove }: SyncPlan): CommandChanges {
  const nameOf = ({ name }: { readonly name: string }): string => name;
  return { added: add.map(nameOf), changed: change.map(nameOf), removed: remove.map(nameOf) };
}
