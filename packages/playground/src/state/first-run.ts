import type { Command } from '@virgule/core/protocol';
import { botName } from './bots.js';
import type { World } from './world.js';

export interface FirstRunCard {
  readonly title: string;
  readonly text: string;
  /** Text that the card inserts into the composer. */
  readonly insert: string | null;
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Returns hints for new users, based on the commands of the bot. */
export function firstRunCards(
  commands: readonly Command[],
  world: Pick<World, 'bots' | 'problems'>,
): readonly FirstRunCard[] {
  const cards: FirstRunCard[] = [];
  const add = (title: string, text: string, insert: string | null = null) =>
    cards.push({ title, text, insert });
  const name = botName(world);
  const simple = commands.filter((command) => !command.options.some((item) => item.required));
  const plain = simple.find((command) => command.name === 'hello') ?? simple[0];
  // A command without required options comes first: it needs no channel, file or role.
  const rich = [...simple, ...commands].find(
    (command) => command.options.length > 0 && command !== plain,
  );
  // The file of a command is clear only for a name without a dash: `admin-ban` may be in a folder.
  const editable = [plain, rich, ...commands].find(
    (command) => command !== undefined && !command.name.includes('-'),
  );
  if (plain !== undefined) add(`Try /${plain.name}`, sentence(plain.description), `/${plain.name}`);
  if (rich !== undefined) {
    const text = `${sentence(rich.description)} Its options are shown as you type.`;
    add(`Try /${rich.name}`, text, `/${rich.name} `);
  }
  const reader = world.bots.find(({ readsMessages }) => readsMessages);
  if (reader)
    add(
      `Mention ${reader.displayName}`,
      `${reader.displayName} reads messages, and may answer one that mentions it.`,
      `@${reader.username} `,
    );
  if (editable !== undefined)
    add(
      `Edit commands/${editable.name}.ts`,
      `With virgule dev, save the file and run /${editable.name} again to get the new answer.`,
    );
  const hasNone = `${name} has no commands`;
  if (commands.length === 0 && world.problems.length > 0)
    add('Fix the problem', `${hasNone} because it could not start.`);
  else if (commands.length === 0)
    add('Add commands/hello.ts', `${hasNone} yet. Save a file in commands/ to add one.`);
  if (!world.bots.some(({ connected }) => connected))
    add('Start the bot', 'No bot is connected. Commands work as soon as a bot is connected.');
  return cards;
}
