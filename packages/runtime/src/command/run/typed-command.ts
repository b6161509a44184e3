import { isRecord } from '@virgule/core/objects';
import { commandNamed, type Commands } from '../define/command.js';
import type { BotEnvironment } from '../environment.js';

/**
 * Returns the command that a message runs, its name after the prefix or the mention, and the line that a user would type for
 * it as a slash command; `undefined` for a message that runs no command.
 */
export function typedIn(d: unknown, commands: Commands, { messages, mentions }: BotEnvironment) {
  const content = isRecord(d) ? d['content'] : undefined;
  if (typeof content !== 'string') return undefined;
  const { prefix } = messages;
  // Most messages begin with neither, and a comparison of characters costs less.
  const first = content[0];
  const isMarked = messages.mention && (first === '<' || first === '@');
  const me = isMarked && mentions.find((mention) => content.startsWith(mention));
  if (!me && (first !== prefix[0] || !content.startsWith(prefix))) return undefined;
  const text = me ? content.slice(me.length).trimStart() : content.slice(prefix.length);
  const [word = ''] = /^\S*/.exec(text) ?? [];
  const name = word.toLowerCase();
  const command = commandNamed(commands, name);
  if (!command?.messages) return undefined;
  return { command, name, rawInput: `/${name}${text.slice(word.length)}` };
}
