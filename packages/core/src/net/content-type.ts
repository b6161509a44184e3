/** Media types that chat services show or play, by extension. All other files are `application/octet-stream`. */
const TYPES: Readonly<Record<string, string>> = {
  apng: 'image/apng',
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  aac: 'audio/aac',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  webm: 'video/webm',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  log: 'text/plain',
  md: 'text/markdown',
  txt: 'text/plain',
  gz: 'application/gzip',
  json: 'application/json',
  pdf: 'application/pdf',
  xml: 'application/xml',
  zip: 'application/zip',
};

/** Returns the media type of the extension of a file's name. */
export function contentTypeOf(fileName: string): string {
  const ending = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(TYPES, ending) && TYPES[ending]) || 'application/octet-stream';
}
