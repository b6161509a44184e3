/** A code block that is open at a position of a text. */
export interface OpenFence {
  /** Index of the line that opens the block. */
  readonly at: number;
  /** Index of the text in the block. */
  readonly bodyAt: number;
  /** Marker that closes the block: three or more backticks or tildes. */
  readonly marker: string;
  /** Line that reopens the block in another message. */
  readonly opening: string;
}

/** A fence: at most three spaces, the marker, and an info string, which contains no backticks after a marker of backticks. */
const FENCE = /^ {0,3}(?:(`{3,})([^`\n]*)|(~{3,})([^\n]*))$/gm;
/** Maximum lengths of a marker and its info string. A longer line is treated as text: repeating it would fill the next message. */
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

/** Returns the length of the line at the start of `text` that closes an open code block, with its line break; 0 if the block continues. */
export function closingLength(text: string, { marker }: OpenFence): number {
  const line = /^(?: {0,3})(`{3,}|~{3,})[^\S\n]*(?:\n|$)/.exec(text);
  return line?.[1]?.startsWith(marker) === true ? line[0].length : 0;
}
