import type { Command } from '@virgule/core/protocol';

/** A hint in an empty channel. */
export interface FirstRunCard {
  readonly title: string;
  readonly text: string;
  /** What the composer is filled with when the card is taken. */
  readonly insert: string | null;
}

export interface FirstRunInput {
  readonly commands: readonly Command[];
  readonly botName: string;
  readonly isBotConnected: boolean;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** What a newcomer can do here, made from what the bot can do. */
export function firstRunCards(input: FirstRunInput): readonly FirstRunCard[] {
  const cards: FirstRunCard[] = [];
  const simple = input.commands.filter((command) => !command.options.some((item) => item.required));
  const plain = simple.find((command) => command.name === 'hello') ?? simple[0];
  const rich = input.commands.find((command) => command.options.length > 0 && command !== plain);
  // `admin-ban` may live in a folder; only a name without a dash tells its file.
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
      text: `${sentence(rich.description)} The options show as you type.`,
      insert: `/${rich.name} `,
    });
  }
  if (editable !== undefined) {
    cards.push({
      title: `Edit commands/${editable.name}.ts`,
      text: `Save the file, then run /${editable.name} again: the new answer is live.`,
      insert: null,
    });
  }
  if (input.commands.length === 0) {
    cards.push({
      title: 'Add commands/hello.ts',
      text: `${input.botName} has no commands yet. A file in commands/ becomes one when you save it.`,
      insert: null,
    });
  }
  if (!input.isBotConnected) {
    cards.push({
      title: 'Start the bot',
      text: 'No bot is connected, so nobody answers yet. Commands work as soon as it is.',
      insert: null,
    });
  }
  return cards;
}
