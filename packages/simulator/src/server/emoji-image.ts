import { createHash } from 'node:crypto';
import type { EmojiRecord } from '../world/state.js';

/** Returns an SVG placeholder for a custom emoji: its first letter on a color derived from its id, pulsing if animated. */
export function emojiImage({ id, name, isAnimated }: EmojiRecord): string {
  const hue = createHash('sha1').update(id).digest().readUInt16BE(0) % 360;
  const letter = /[a-z0-9]/i.exec(name)?.[0].toUpperCase() ?? '?';
  const motion = isAnimated
    ? '<animate attributeName="r" values="30;24;30" dur="1s" repeatCount="indefinite"/>'
    : '';
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">',
    `<circle cx="32" cy="32" r="30" fill="hsl(${hue} 65% 45%)">${motion}</circle>`,
    '<text x="32" y="43" text-anchor="middle" font-family="sans-serif" font-size="32"',
    ` font-weight="bold" fill="#fff">${letter}</text></svg>`,
  ].join('');
}
