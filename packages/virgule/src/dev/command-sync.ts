import type { Rest } from '@virgule/client/rest';
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
  /** The commands that were registered last, as text. */
  let registered: string | undefined;

  return {
    async sync(project) {
      const local = wireCommands(project);
      const text = JSON.stringify(local);
      if (text === registered) return null;
      const plan = planSync(local, await commands.list());
      if (!plan.empty) await applySync({ commands, local, plan, allowDelete: true });
      registered = text;
      return plan.empty ? null : changesOf(plan);
    },
    plan: async (project) => changesOf(planSync(wireCommands(project), await commands.list())),
  };
}

function changesOf({ add, change, remove }: SyncPlan): CommandChanges {
  const names = (list: readonly { readonly name: string }[]): string[] =>
    list.map(({ name }) => name);
  return { added: names(add), changed: names(change), removed: names(remove) };
}
