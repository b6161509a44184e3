import type { Rest } from '@virgule/client/rest';
import type { SyncCommandItem } from '@virgule/core/protocol';
import { wireCommands, type Project } from '@virgule/runtime/project';
import { applySync, planSync, type SyncPlan } from '@virgule/runtime/sync';
import type { CommandChanges } from './messages.js';

export interface CommandSync {
  /**
   * Compares the commands with the registered ones and registers them where that is wanted, when
   * there is anything to do. `null` when there was nothing, or the commands are those of the last time.
   *
   * @throws VirguleError what the platform refuses; the next call tries again.
   */
  sync(project: Project): Promise<CommandChanges | null>;
  /** The same without registering anything, whatever was done before. */
  plan(project: Project): Promise<CommandChanges>;
}

/** Keeps a simulator's commands like those of the project: what has no file any more is deleted. */
export function createCommandSync({ commands }: Pick<Rest, 'commands'>): CommandSync {
  let registered: readonly SyncCommandItem[] | undefined;

  return {
    async sync(project) {
      const local = wireCommands(project);
      if (registered && isSame(local, registered)) return null;
      const plan = planSync(local, await commands.list());
      if (!plan.empty) await applySync({ commands, local, plan, allowDelete: true });
      registered = local;
      return plan.empty ? null : changesOf(plan);
    },
    plan: async (project) => changesOf(planSync(wireCommands(project), await commands.list())),
  };
}

/** Whether two lists are the same on the wire. Most of a thousand commands are the very same object after a save. */
const isSame = (a: readonly SyncCommandItem[], b: readonly SyncCommandItem[]): boolean =>
  a.length === b.length &&
  a.every((item, n) => item === b[n] || JSON.stringify(item) === JSON.stringify(b[n]));

function changesOf({ add, change, remove }: SyncPlan): CommandChanges {
  const names = (list: readonly { readonly name: string }[]): string[] =>
    list.map(({ name }) => name);
  return { added: names(add), changed: names(change), removed: names(remove) };
}
