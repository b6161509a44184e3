import type { MessageAttachment } from '@virgule/core/protocol';

/** Types that a browser only decodes. SVG is left out, because an opened SVG runs scripts. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/** Returns whether an attachment can be shown as an image: its URL has this origin, and its type is safe. */
export const isPicture = ({ contentType }: Pick<MessageAttachment, 'contentType'>, url: string) =>
  url.startsWith('/') && PICTURES.has(contentType.toLowerCase());
