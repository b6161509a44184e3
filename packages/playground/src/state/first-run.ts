import type { Command } from '@virgule/core/protocol';

/** A hint in an empty channel. */
export interface FirstRunCard {
  readonly title: string;
  readonly text: string;
  /** Text that the card inserts into the composer. */
  readonly insert: string | null;
}

export interface FirstRunInput {
  readonly commands: readonly Command[];
  readonly botName: string;
  readonly isBotConnected: boolean;
  /** Whether `virgule dev` reports problems with the files of the bot. */
  readonly hasProblems: boolean;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Returns hints for new users, based on the commands of the bot. */
export function firstRunCards(input: FirstRunInput): readonly FirstRunCard[] {
  const cards: FirstRunCard[] = [];
  const simple = input.commands.filter((command) => !command.options.some((item) => item.required));
  const plain = simple.find((command) => command.name === 'hello') ?? simple[0];
  // One that runs as it is comes first: it needs no channel, file or role.
  const rich = [...simple, ...input.commands].find(
    (command) => command.options.length > 0 && command !== plain,
  );
  // `admin-ban` may be in a folder; only a name without a dash determines its file.
  const editable = [plain, rich, ...input.commands].find(
    (command) => command !== undefined && !command.name.includes('-'),
  );
  if (plain !== undefined) {
    cards.push({
      title: `Try /${plain.name}`,
      text: sentence(plain.description),
      insert: `/${plain.name}`,
    });
  }
  if (rich !== undefined) {
    cards.push({
      title: `Try /${rich.name}`,
      text: `${sentence(rich.description)} Its options are shown as you type.`,
      insert: `/${rich.name} `,
    });
  }
  if (editable !== undefined) {
    cards.push({
      title: `Edit commands/${editable.name}.ts`,
      text: `Save the file, then run /${editable.name} again to get the new answer.`,
      insert: null,
    });
  }
  if (input.commands.length === 0 && input.hasProblems) {
    cards.push({
      title: 'Fix the problem',
      text: `${input.botName} has no commands because it could not start.`,
      insert: null,
    });
  } else if (input.commands.length === 0) {
    cards.push({
      title: 'Add commands/hello.ts',
      text: `${input.botName} has no commands yet. Save a file in commands/ to add one.`,
      insert: null,
    });
  }
  if (!input.isBotConnected) {
    cards.push({
      title: 'Start the bot',
      text: 'No bot is connected. Commands work as soon as one is.',
      insert: null,
    });
  }
  return cards;
}
