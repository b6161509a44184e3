import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { orUndefined } from '@virgule/core/objects';
import { textAnswer, type Answer } from './exchange.js';

/**
 * Returns a policy that allows only scripts, styles and connections of this origin, so that content of messages cannot
 * run. Sockets are listed, because not every browser includes them in the origin.
 */
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
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Built files with a hash of their content in the name: `assets/index-B7mXq2Zk.js`. */
const HASHED = /[\\/]assets[\\/].*-[\w-]{8}\.\w+$/;

const NOT_BUILT = `The chat page is not built.

The simulator works without it. Build the workspace to get the page.
`;

/**
 * Responds to a GET request with a file of the page. A path without an extension, such as
 * /s/<server>/c/<channel>, is a route of the page and gets index.html.
 */
export async function pageAnswer(
  pageDir: string | null,
  { path, host }: { readonly path: string; readonly host: string },
): Promise<Answer> {
  const file = pageDir === null ? undefined : fileFor(pageDir, path);
  const body = file && (await readFile(file).catch(() => undefined));
  if (file !== undefined && body !== undefined) {
    return { status: 200, headers: headersFor(file, host), body };
  }
  const isRoute = extname(path) === '';
  return isRoute ? textAnswer(404, NOT_BUILT) : textAnswer(404, 'File not found.\n');
}

/** A path without a file, which replaces a path with invalid percent-encoding. */
const INVALID = '/\0';

/** Returns the file for a path, or `undefined` if the file would be outside the folder. */
function fileFor(pageDir: string, path: string): string | undefined {
  if (extname(path) === '') return join(pageDir, 'index.html');
  const root = normalize(pageDir + sep);
  const file = normalize(join(root, orUndefined(() => decodeURIComponent(path)) ?? INVALID));
  return file.startsWith(root) && !file.includes('\0') ? file : undefined;
}

function headersFor(file: string, host: string): Readonly<Record<string, string>> {
  const extension = extname(file);
  return {
    'content-type': CONTENT_TYPES[extension] ?? 'application/octet-stream',
    'cache-control': cacheControl(file, extension),
    'content-security-policy': pagePolicy(host),
    'referrer-policy': 'no-referrer',
  };
}

function cacheControl(file: string, extension: string): string {
  if (extension === '.html') return 'no-store';
  return HASHED.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache';
}
