import { syncItemOf, type Command, type SyncCommandItem } from '@virgule/core/protocol';
import { isoTime } from './iso-time.js';
import { invalid } from './refusal.js';
import type { World } from './world.js';

/** Replaces all commands of a bot. A command whose name remains keeps its id and date. */
export function replaceCommands(
  world: World,
  botUserId: string,
  items: readonly SyncCommandItem[],
): readonly Command[] {
  refuseDuplicates(world, items);
  const { commands: registered = [] } = world.state.bots.get(botUserId) ?? {};
  const known = new Map(registered.map((command) => [command.name, command]));
  const createdAt = isoTime(world.clock.now());
  const commands = items.map((item) => ({
    id: known.get(item.name)?.id ?? world.nextId(`command:${botUserId}:${item.name}`),
    ...syncItemOf(item),
    createdAt: known.get(item.name)?.createdAt ?? createdAt,
  }));
  world.emit({ type: 'commands.replaced', botUserId, commands });
  return commands;
}

function refuseDuplicates({ profile }: World, items: readonly SyncCommandItem[]): void {
  const twice = duplicate(items);
  if (twice !== undefined) throw invalid(profile, 'commands', `Two commands are named ${twice}.`);
  for (const { name, options } of items) {
    const option = duplicate(options);
    const message = `The command ${name} has two options named ${option}.`;
    if (option !== undefined) throw invalid(profile, 'commands', message);
  }
}

function duplicate(items: readonly { readonly name: string }[]): string | undefined {
  const seen = new Set<string>();
  return items.find(({ name }) => seen.size === seen.add(name).size)?.name;
}
