/** A code block that is open at a position of a text. */
export interface OpenFence {
  /** Where the line that opens it begins. */
  readonly at: number;
  /** Where the text in it begins. */
  readonly bodyAt: number;
  /** Its end: three or more backticks or tildes. */
  readonly marker: string;
  /** The line that reopens it in another message. */
  readonly opening: string;
}

/** A fence has at most three spaces before it; after backticks there are no further backticks. */
const FENCE = /^ {0,3}(?:(`{3,})([^`\n]*)|(~{3,})([^\n]*))$/gm;
/** A longer marker or language is treated as text: repeating it would fill the next message. */
const MAX_MARKER_LENGTH = 16;
const MAX_INFO_LENGTH = 40;

/** Returns the code block that is open at the end of `text`; `null` if there is none. */
export function openFence(text: string): OpenFence | null {
  let open: OpenFence | null = null;
  for (const match of text.matchAll(FENCE)) {
    const marker = match[1] ?? match[3] ?? '';
    const info = (match[2] ?? match[4] ?? '').trim();
    if (!open) {
      if (marker.length > MAX_MARKER_LENGTH || info.length > MAX_INFO_LENGTH) continue;
      const bodyAt = match.index + match[0].length + 1;
      open = { at: match.index, bodyAt, marker, opening: `${marker}${info}` };
    } else if (info === '' && marker.startsWith(open.marker)) {
      open = null;
    }
  }
  return open;
}

/** Returns how many characters at the start of `text` end an open code block: its last line, with the line break; 0 if it continues. */
export function closingLength(text: string, { marker }: OpenFence): number {
  const line = /^(?: {0,3})(`{3,}|~{3,})[^\S\n]*(?:\n|$)/.exec(text);
  return line?.[1]?.startsWith(marker) === true ? line[0].length : 0;
}
