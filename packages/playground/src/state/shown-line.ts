import { orUndefined } from '@virgule/core/objects';
import { mentionName, type Names } from './mention-name.js';

const SIGNS = { '@': 'user', '#': 'channel', '@&': 'role' } as const;

/** URL of a file that a user uploaded, with its name at the end. */
const FILE_URL = /https?:\/\/[^\s/]+\/_files\/uploads\/[\w-]+\/([^\s/]+)/g;

/** Returns the line of a command for readers: names replace mentions and URLs of files. */
export function shownLine(rawInput: string, names: Names): string {
  return rawInput
    .replace(/<(@&|@|#)([0-9a-f-]{36})>/gi, (_, sign: keyof typeof SIGNS, id: string) =>
      mentionName(names, SIGNS[sign], id),
    )
    .replace(
      FILE_URL,
      (url: string, name: string) => orUndefined(() => decodeURIComponent(name)) ?? url,
    );
}
