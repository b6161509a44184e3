import { oneLine } from '@virgule/core/text';
import { cutText } from '../../text/cut-text.js';

const MAX_LENGTH = 60;

/** Returns what a user typed as an answer can show it: on one line, not too long, and without mentions. */
export const shownText = (typed: string): string =>
  withoutMentions(cutText(oneLine(typed), MAX_LENGTH));

/** Returns a typed text that notifies no one: the bot may have the right to mention everyone, its user may not. */
export const withoutMentions = (typed: string): string =>
  typed.replaceAll(/<@|@(?=everyone|here)/gi, (mark) => `${mark}\u200B`);
