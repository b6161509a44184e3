import type { SimMessage } from '@virgule/core/simulator-api';
import { nameFiles } from './name-files.js';

/** Returns the content of a message, or the names of its files if it has no text. */
export function messageText({ content, attachments }: Pick<SimMessage, 'content' | 'attachments'>) {
  return content === '' ? nameFiles(attachments.map(({ fileName }) => fileName)) : content;
}
