import type { BotMe, Command } from '@virgule/core/protocol';
import type { FieldChange, SyncPlan } from '@virgule/runtime/sync';
import { countOf, showOnOneLine as shown } from '@virgule/core/text';
import { createColors } from '../terminal/colors.js';
import type { LocalCommands } from './local-commands.js';

export interface PlannedDeploy {
  readonly plan: SyncPlan;
  readonly local: LocalCommands;
  readonly registered: readonly Command[];
  /** Names of the commands deployed from this folder before; `null` if unknown. */
  readonly own: readonly string[] | null;
  readonly me: BotMe;
}

/** Returns a plan as text. Deletions come first, since a sync replaces everything. */
export function describePlan(planned: PlannedDeploy, color: boolean): string {
  const { plan, local, registered } = planned;
  const { items, called } = local;
  const { displayName: bot, applicationId } = planned.me;
  const { green, red, yellow, dim, bold } = createColors(color);
  if (plan.empty)
    return `No changes. ${countOf(items.length, 'command')} of ${shown(bot)} ${items.length === 1 ? 'is' : 'are'} up to date.\n${keptLine(plan)}`;

  const names = [...plan.remove, ...plan.change, ...plan.add].map(({ name }) => shown(name).length);
  const column = Math.max(...names) + 1;
  const named = (name: string): string => `/${shown(name)}`.padEnd(column);
  const placeOf = (name: string): string => dim(shown(local.fileOf(name) ?? ''));
  const lines = [
    `Comparing ${countOf(items.length, `${called} command`)} with ${registered.length} registered for ${bold(shown(bot))} ${dim(`(application ${shown(applicationId)})`)}`,
    '',
  ];
  for (const command of plan.remove) {
    const why = called === 'saved' ? 'not in the saved set' : 'no file';
    lines.push(
      `${red(`  - ${named(command.name)}`)}  "${shown(command.description)}"  ${red(`will be DELETED (${why})`)}`,
    );
  }
  for (const { name, fields } of plan.change) {
    lines.push(`${yellow(`  ~ ${named(name)}`)}  ${placeOf(name)}`.trimEnd());
    for (const field of fields) lines.push(describeField(field, color));
  }
  for (const { name, description } of plan.add) {
    lines.push(
      `${green(`  + ${named(name)}`)}  "${shown(description)}"  ${placeOf(name)}`.trimEnd(),
    );
  }
  if (plan.same.length > 0) lines.push(dim(`  = ${plan.same.length} unchanged`));
  if (plan.kept.length > 0) lines.push(dim(`  ${keptLine(plan).trimEnd()}`));

  lines.push(
    '',
    `Plan: ${plan.add.length} to add, ${plan.change.length} to change, ${plan.remove.length} to delete, ${plan.same.length} unchanged.`,
  );
  const breaking = countBreaking(plan);
  if (breaking > 0) lines.push(yellow(`! ${countOf(breaking, 'breaking change')}.`));
  if (plan.remove.length > 0) {
    const gone = `${countOf(plan.remove.length, 'command')} will disappear on all servers.`;
    lines.push(red(`! This replaces the whole set. ${gone}`));
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the number of breaking changes: deletions, and changes after which a line that users type today is rejected
 * or parsed differently.
 */
export const countBreaking = ({ change, remove }: SyncPlan): number =>
  remove.length + change.flatMap(({ fields }) => fields).filter((it) => it.breaking).length;

function describeField({ breaking, why, ...field }: FieldChange, color: boolean): string {
  const { green, red, yellow } = createColors(color);
  const what = shown(field.what);
  const warning = breaking ? yellow(`  ! ${shown(why ?? 'breaking')}`) : '';
  const before = field.before && shown(field.before);
  const after = field.after && shown(field.after);
  if (before === undefined) return `${green(`    + ${what}`)}  ${after}${warning}`;
  if (after === undefined) return `${red(`    - ${what}`)}  ${before}${warning}`;
  const written = what.endsWith('description') ? inQuotes : asWord;
  return `${yellow(`    ~ ${what}`)}  ${written(before)} → ${written(after)}${warning}`;
}

function keptLine({ kept }: SyncPlan): string {
  if (kept.length === 0) return '';
  return `= ${kept.length} kept, not deployed from here: ${kept.map(({ name }) => `/${shown(name)}`).join(', ')}\n`;
}

/** Returns a word unchanged, and any other text in quotes. */
const asWord = (value: string): string => (/^[\w-]+$/.test(value) ? value : inQuotes(value));
const inQuotes = (value: string): string => `"${value.replaceAll('"', String.raw`\"`)}"`;

/**
 * Returns a plan for programs. Within one `v`, keys are added and never changed.
 *
 * @param result - `no-changes`, `planned`, `same`, `differs`, `not-applied` or `applied`
 * @param saved - name of the saved set that was replaced
 */
export function planJson({ plan, me, local }: PlannedDeploy, result: string, saved?: string) {
  const { add, change, remove, kept, same } = plan;
  const withFile = <T extends { readonly name: string }>(command: T) => ({
    ...command,
    file: local.fileOf(command.name),
  });
  return {
    v: 1,
    result,
    application: { id: me.applicationId, name: me.displayName },
    changes: add.length + change.length + remove.length,
    breaking: countBreaking(plan),
    add: add.map(withFile),
    change: change.map(withFile),
    remove,
    kept,
    same,
    saved,
  };
}
