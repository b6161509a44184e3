import type { StoredFile } from '../world/attachments.js';
import type { Answer } from './exchange.js';

const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/;

/**
 * A file that somebody uploaded. It may claim to be anything, so no browser may run it in this
 * origin, guess its type, or show it as a page.
 */
export function downloadAnswer({ attachment, bytes }: StoredFile): Answer {
  const { fileName, contentType } = attachment;
  return {
    status: 200,
    headers: {
      'content-type': CONTENT_TYPE.test(contentType) ? contentType : 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeFileName(fileName)}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
    },
    body: bytes,
  };
}

/** RFC 8187: percent-encoded, `'()*` too. Half a surrogate pair, which encodeURIComponent refuses, is replaced. */
function encodeFileName(fileName: string): string {
  return encodeURIComponent(Buffer.from(fileName).toString()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
