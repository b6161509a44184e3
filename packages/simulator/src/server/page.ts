import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { orUndefined } from '@virgule/core/objects';
import { textAnswer, type Answer } from './exchange.js';

/** Allows only this origin, so that messages cannot run code. Not every browser counts sockets as this origin. */
function pagePolicy(host: string): string {
  const sockets = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : '';
  return [
    "default-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${sockets}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Built files with a hash of their content in the name: `assets/index-B7mXq2Zk.js`. */
const HASHED = /[\\/]assets[\\/].*-[\w-]{8}\.\w+$/;

const NOT_BUILT = `The chat page is not built.

The simulator works without it. Build the workspace to get the page.
`;

/** Returns a file of the page. A path without an extension, such as /s/<server>, is a route and gets index.html. */
export async function pageAnswer(
  pageDir: string | null,
  { path, host }: { readonly path: string; readonly host: string },
): Promise<Answer> {
  const isRoute = extname(path) === '';
  const file = pageDir === null ? undefined : fileFor(pageDir, isRoute ? '/index.html' : path);
  const body = file && (await readFile(file).catch(() => undefined));
  if (file === undefined || body === undefined)
    return textAnswer(404, isRoute ? NOT_BUILT : 'File not found.\n');
  const kept = HASHED.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache';
  return {
    status: 200,
    headers: {
      'content-type': CONTENT_TYPES[extname(file)] ?? 'application/octet-stream',
      'cache-control': extname(file) === '.html' ? 'no-store' : kept,
      'content-security-policy': pagePolicy(host),
      'referrer-policy': 'no-referrer',
    },
    body,
  };
}

/** Returns the file for a path, or `undefined` if the file would be outside the folder. */
function fileFor(pageDir: string, path: string): string | undefined {
  const root = normalize(pageDir + sep);
  const decoded = orUndefined(() => decodeURIComponent(path));
  const file = decoded && normalize(join(root, decoded));
  return file?.startsWith(root) === true ? file : undefined;
}
