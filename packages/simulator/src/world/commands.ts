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

function refuseDuplicates(world: World, items: readonly SyncCommandItem[]): void {
  const twice = duplicate(items.map(({ name }) => name));
  if (twice !== undefined) {
    throw invalid(world.profile, 'commands', `Two commands are named ${twice}.`);
  }
  for (const { name, options } of items) {
    const twiceOption = duplicate(options.map((option) => option.name));
    if (twiceOption !== undefined) {
      throw invalid(
        world.profile,
        'commands',
        `The command ${name} has two options named ${twiceOption}.`,
      );
    }
  }
}

function duplicate(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}
