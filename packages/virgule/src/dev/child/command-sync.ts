import type { Rest } from '@virgule/client/rest';
import { systemClock, type Clock } from '@virgule/core/clock';
import type { SyncCommandItem } from '@virgule/core/protocol';
import { wireCommands, type Project } from '@virgule/runtime/project';
import { applySync, planSync, type SyncPlan } from '@virgule/runtime/sync';
import type { CommandChanges } from '../ipc.js';

export interface CommandSyncOptions {
  readonly commands: Rest['commands'];
  /**
   * Time limit in milliseconds for all calls of one sync or plan. The result of a save is reported after these calls.
   *
   * @defaultValue {@link SYNC_TIMEOUT_MS}
   */
  readonly timeoutMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Default time limit: long enough for a slow network, and short compared with the 30 s that a single call may take.
 * While the platform is unreachable, the result of each save is delayed by this time.
 */
const SYNC_TIMEOUT_MS = 5_000;

/** Keeps the registered commands of a simulator equal to the project's commands. Commands without a file are deleted. */
export function createCommandSync(options: CommandSyncOptions) {
  const { timeoutMs = SYNC_TIMEOUT_MS, clock = systemClock } = options;
  let registered: readonly SyncCommandItem[] | undefined;

  /** Returns the same calls with a common deadline. */
  function beforeDeadline(): Pick<Rest['commands'], 'list' | 'replace'> {
    const endMs = clock.monotonic() + timeoutMs;
    const limit = () => ({ deadlineMs: Math.max(0, endMs - clock.monotonic()) });
    return {
      list: (call) => options.commands.list({ ...call, ...limit() }),
      replace: (items, call) => options.commands.replace(items, { ...call, ...limit() }),
    };
  }

  return {
    /**
     * Registers the commands of the project if they differ from the registered ones. Resolves to `null` if they are
     * equal.
     *
     * @throws VirguleError when the platform refuses or does not answer in time; the next call tries again.
     */
    async sync(project: Project): Promise<CommandChanges | null> {
      const local = wireCommands(project);
      if (registered && isSame(local, registered)) return null;
      const commands = beforeDeadline();
      const plan = planSync(local, await commands.list());
      if (!plan.empty) await applySync({ commands, local, plan, allowDelete: true });
      registered = local;
      return plan.empty ? null : changesOf(plan);
    },
    /**
     * Compares the commands of the project with the registered ones.
     *
     * @throws VirguleError when the platform refuses or does not answer in time.
     */
    plan: async (project: Project): Promise<CommandChanges> =>
      changesOf(planSync(wireCommands(project), await beforeDeadline().list())),
  };
}

/** Returns whether two lists are equal on the wire. After a save, most of a thousand commands are identical objects. */
const isSame = (a: readonly SyncCommandItem[], b: readonly SyncCommandItem[]): boolean =>
  a.length === b.length &&
  a.every((item, n) => item === b[n] || JSON.stringify(item) === JSON.stringify(b[n]));

function changesOf({ add, change, remove }: SyncPlan): CommandChanges {
  const names = (list: readonly { readonly name: string }[]): string[] =>
    list.map(({ name }) => name);
  return { added: names(add), changed: names(change), removed: names(remove) };
}
