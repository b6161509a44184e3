import type { SimMessage } from '@virgule/core/simulator-api';
import { listOf } from '@virgule/core/text';

/** Returns the content of a message, or the names of its files if it has no text. */
export function messageText({ content, attachments }: Pick<SimMessage, 'content' | 'attachments'>) {
  return content === '' ? listOf(attachments.map(({ fileName }) => fileName)) : content;
}
