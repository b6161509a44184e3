import { isRecord } from '@virgule/core/objects';
import { didYouMean } from '@virgule/core/text';
import { commandNamed, type Commands } from '../define/command.js';
import type { BotEnvironment } from '../environment.js';

/**
 * Returns the name after the prefix or the mention in a message, the command that it runs, if any, and the line that a user
 * would type for it as a slash command.
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
  const named = commandNamed(commands, name);
  const command = named?.messages ? named : undefined;
  return { command, name, rawInput: `/${name}${text.slice(word.length)}` };
}

/** Returns a note with the probable command of a message with a mistyped name. */
export function suggestCommand(name: string, commands: Commands, prefix: string) {
  const known = [...commands.values()].flatMap((each) => (each.messages ? [each.name] : []));
  const meant = didYouMean(name, known);
  return meant && `${prefix}${name} is not a command; did you mean ${prefix}${meant}?`;
}
