import type { FieldChange, SyncPlan } from '@virgule/runtime/sync';
import pico from 'picocolors';

export interface PlanView {
  /** How many commands there are locally. */
  readonly local: number;
  /** Display name of the bot. */
  readonly bot: string;
  readonly color: boolean;
}

/** A plan as text: deletions first, since a sync replaces everything. */
export function describePlan(plan: SyncPlan, { local, bot, color }: PlanView): string {
  const { green, red, yellow, dim, bold } = pico.createColors(color);
  if (plan.empty)
    return `No changes. ${count(local, 'command')} of ${bot} ${local === 1 ? 'is' : 'are'} up to date.\n`;

  const lines = [`Plan for ${bold(bot)}:`, ''];
  for (const { name, description } of plan.remove) {
    lines.push(
      red(`  - /${name}`) + `  "${description}"  will be DELETED: there is no file for it`,
    );
  }
  for (const { name, fields } of plan.change) {
    lines.push(yellow(`  ~ /${name}`), ...fields.map((field) => `      ${describeField(field)}`));
  }
  for (const { name, description } of plan.add)
    lines.push(green(`  + /${name}`) + `  "${description}"`);
  if (plan.same.length > 0) lines.push(dim(`  = ${plan.same.length} unchanged`));

  const breaking = plan.change
    .flatMap(({ fields }) => fields)
    .filter((field) => field.breaking).length;
  lines.push(
    '',
    `${plan.add.length} to add, ${plan.change.length} to change, ${plan.remove.length} to delete.`,
  );
  if (breaking > 0)
    lines.push(`! ${count(breaking, 'change')} can break lines that users type today.`);
  if (plan.remove.length > 0) {
    lines.push(red(`! ${count(plan.remove.length, 'command')} will disappear on all servers.`));
  }
  return `${lines.join('\n')}\n`;
}

function describeField({ what, before, after, breaking }: FieldChange): string {
  const mark = breaking ? '! ' : '';
  if (before === undefined) return `${mark}+ ${what}: ${after}`;
  if (after === undefined) return `${mark}- ${what}: ${before}`;
  return `${mark}${what}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`;
}

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;
