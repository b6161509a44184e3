import type { StoredFile } from '../world/attachments.js';
import type { Answer } from './exchange.js';

const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/;

/**
 * Returns a response with an uploaded file. Its content type is not trusted: browsers must not run it in
 * this origin, guess its type, or show it as a page.
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

/** Encodes a file name by RFC 8187, `'()*` included. Lone surrogates, which encodeURIComponent rejects, are replaced. */
function encodeFileName(fileName: string): string {
  return encodeURIComponent(Buffer.from(fileName).toString()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
