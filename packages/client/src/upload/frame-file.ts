import { isRecord } from '@virgule/core/objects';
import type { FileSource } from './files.js';

const NOTHING = new Uint8Array();

/**
 * How a file is sent to the address of a session: as it is, or in a multipart form where the session has fields. The
 * file comes last, under the name `file`, since storage services ignore what comes after it.
 */
export function frameFile(
  fields: unknown,
  file: Pick<FileSource, 'fileName' | 'contentType'>,
  random: () => number,
) {
  // Characters that a header cannot carry would be refused.
  const isPlain = /^[\x20-\x7e]+$/.test(file.contentType);
  const contentType = isPlain ? file.contentType : 'application/octet-stream';
  const all = isRecord(fields) ? Object.entries(fields) : [];
  if (all.length === 0)
    return { method: 'PUT', contentType, head: NOTHING, tail: NOTHING } as const;
  const boundary = `virgule-${randomText(random)}${randomText(random)}`;
  const parts = all.map(
    ([name, value]) => `--${boundary}\r\n${disposition(name)}\r\n\r\n${fieldText(value)}\r\n`,
  );
  const head = `--${boundary}\r\n${disposition('file', file.fileName)}\r\nContent-Type: ${contentType}\r\n\r\n`;
  return {
    method: 'POST',
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(parts.join('') + head),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  } as const;
}

function disposition(name: string, fileName?: string): string {
  const file = fileName === undefined ? '' : `; filename="${escapeParameter(fileName)}"`;
  return `Content-Disposition: form-data; name="${escapeParameter(name)}"${file}`;
}

/** A quote or a line break would end the name and begin a header. */
function escapeParameter(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}

function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function randomText(random: () => number): string {
  return random().toString(36).slice(2, 14).padEnd(12, '0');
}
