import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import type { SimProblem } from '@virgule/core/simulator-api';
import type { Project } from '@virgule/runtime/project';
import type { Loader } from '../../loader/create-loader.js';
import { toSimProblem } from '../../project/project-problems.js';
import type { ProjectReader, ReadProject } from '../../project/project-reader.js';
import type { CommandChanges, ReloadOutcome } from '../ipc.js';

export interface ReloaderOptions {
  readonly root: string;
  readonly loader: Loader;
  readonly reader: ProjectReader;
  /** Activates this project: events are handled by its code from now on. */
  readonly use: (project: Project) => void;
  /** Removes secrets from problems. @defaultValue problems stay unchanged */
  readonly redact?: ((text: string) => string) | undefined;
  /** Registers the commands, and returns the changes. */
  readonly sync: (project: Project) => Promise<CommandChanges | null>;
}

/** Creates a reloader, which applies changed files to a running bot. */
export function createReloader(options: ReloaderOptions) {
  const { root, loader, reader, use, sync, redact } = options;
  const toProblem = (error: VirguleError): SimProblem => toSimProblem(error, root, redact);
  /** True while a change could not be applied. The next change of any file may then complete it. */
  let waiting = false;

  /** Registers the commands, and returns the changes. A refusal of the platform is added to the problems. */
  async function trySync(
    project: Project,
    problems: VirguleError[],
  ): Promise<CommandChanges | null> {
    try {
      return await sync(project);
    } catch (error) {
      problems.push(orThrow(error));
      return null;
    }
  }

  async function apply(files: readonly string[]): Promise<ReloadOutcome> {
    const { evaluated, failures, restart } = await loader.apply(files);
    const failed = failures.map(orThrow);
    const { project, problems, isNew } = await reader.read(files, evaluated);
    const all = [...failed, ...problems];
    if (isNew) use(project);
    const commands = isNew || waiting ? await trySync(project, all) : null;
    const reported = all.map(toProblem);
    if (!isNew && !commands && reported.length > 0)
      return { outcome: 'failed', problems: reported, restart };
    const isDifferent = isNew || commands !== null || evaluated.length > 0;
    // A file was saved without a change. After a failure, this is reported as well: the file is valid again.
    if (!isDifferent && !waiting) return { outcome: 'unchanged', restart };
    return {
      outcome: 'swapped',
      evaluated: evaluated.length,
      commands,
      problems: reported,
      restart,
    };
  }

  async function settle(taking: Promise<ReloadOutcome>): Promise<ReloadOutcome> {
    const result = await taking.catch((error: unknown): ReloadOutcome => ({
      outcome: 'failed',
      problems: [toProblem(orThrow(error))],
    }));
    waiting = 'problems' in result && result.problems.length > 0;
    return result;
  }

  async function register({ project, problems }: ReadProject): Promise<ReloadOutcome> {
    const all = [...problems];
    const commands = await trySync(project, all);
    const reported = all.map(toProblem);
    return { outcome: 'swapped', evaluated: 0, commands, problems: reported };
  }

  return {
    /** Registers the commands of the first read. */
    register: (first: ReadProject): Promise<ReloadOutcome> => settle(register(first)),
    /**
     * Applies changed files.
     *
     * @param files - absolute paths. Must not be called again before the promise settles.
     */
    reload: (files: readonly string[]): Promise<ReloadOutcome> => settle(apply(files)),
  };
}

/**
 * Returns an error that is a problem of the project. Any other error is a bug and is thrown: the process ends, and a
 * new process starts from the current files.
 */
export function orThrow(error: unknown): VirguleError {
  if (isVirguleError(error)) return error;
  throw error;
}
