import type { FileSource } from './files.js';

/**
 * A multipart form around a file: the fields in their order, then the file under the name `file`,
 * last, since storage services ignore what comes after the file.
 */
export function frameMultipart(
  fields: Readonly<Record<string, unknown>>,
  file: Pick<FileSource, 'fileName' | 'contentType'>,
  random: () => number,
) {
  const boundary = `virgule-${randomText(random)}${randomText(random)}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\n${disposition(name)}\r\n\r\n${fieldText(value)}\r\n`,
  );
  const head = `--${boundary}\r\n${disposition('file', file.fileName)}\r\nContent-Type: ${mediaType(file.contentType)}\r\n\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(parts.join('') + head),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

/** The content type, or the general one when it has characters that a header cannot carry. */
export function mediaType(contentType: string): string {
  return /^[\x20-\x7e]+$/.test(contentType) ? contentType : 'application/octet-stream';
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
