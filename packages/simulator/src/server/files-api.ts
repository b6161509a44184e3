// `/_files/*`: uploads, downloads and images of emojis. The Bot Interface returns such URLs, and specifies no server.
import { hash } from 'node:crypto';
import {
  attachmentBytes,
  downloadSignature,
  openSession,
  publicBytes,
  storeUpload,
  uploadFields,
} from '../world/attachments.js';
import { requireRecord } from '../world/access.js';
import { forbidden, Refusal } from '../world/refusal.js';
import type { EmojiRecord, UploadRecord } from '../world/state.js';
import type { World } from '../world/world.js';
import { downloadAnswer, emptyAnswer, type Answer, type Incoming } from './exchange.js';
import { createRouter, requireMatch } from './router.js';

/** Maximum size of a multipart body without its file, in bytes. */
const MULTIPART_EXTRA_BYTES = 64 * 1024;

type FileHandler = (world: World, incoming: Incoming, id: string) => Answer | Promise<Answer>;

/** Returns a function that answers requests, or throws a refusal. */
export function createFilesApi(world: World) {
  const router = createRouter<FileHandler>([
    { method: 'POST', path: '/_files/uploads/{id}', value: receiveForm },
    { method: 'PUT', path: '/_files/uploads/{id}', value: receiveBytes },
    { method: 'GET', path: '/_files/uploads/{id}', value: publicFile },
    // The name is for readers of the URL; the id alone selects the file.
    { method: 'GET', path: '/_files/uploads/{id}/{name}', value: publicFile },
    { method: 'GET', path: '/_files/attachments/{id}', value: download },
    { method: 'GET', path: '/_files/emojis/{id}', value: image },
  ]);
  return async (incoming: Incoming): Promise<Answer> => {
    const { value: handler, parameters } = requireMatch(router, incoming, 'file');
    return handler(world, incoming, parameters['id'] ?? '');
  };
}

/** Returns the open session of an upload, for a request with the method of the profile. */
function sessionFor(world: World, method: 'POST' | 'PUT', id: string): UploadRecord {
  const { uploadMethod } = world.profile;
  if (uploadMethod !== method)
    throw new Refusal(405, 'sim_method_not_allowed', `Files must be sent with ${uploadMethod}.`);
  return openSession(world, objectKeyOf(id));
}

const objectKeyOf = (id: string): string => `uploads/${id}`;

const receiveBytes: FileHandler = async (world, incoming, id) => {
  const { objectKey } = sessionFor(world, 'PUT', id);
  const bytes = await incoming.body(world.profile.uploadMaxBytes);
  // The session may have expired while the bytes arrived.
  storeUpload(world, openSession(world, objectKey), bytes);
  return emptyAnswer();
};

const receiveForm: FileHandler = async (world, incoming, id) => {
  const upload = sessionFor(world, 'POST', id);
  const maxBytes = world.profile.uploadMaxBytes + MULTIPART_EXTRA_BYTES;
  const form = await parseForm(incoming, await incoming.body(maxBytes));
  for (const [name, value] of Object.entries(uploadFields(world, upload)))
    if (form.get(name) !== value)
      throw forbidden(`The form field ${name} is missing or does not match the session.`, { name });
  const files = [...form.values()].filter((value) => typeof value !== 'string');
  const [file] = files;
  if (file === undefined || files.length > 1) {
    const message = `The form must contain one file, not ${files.length}.`;
    throw new Refusal(400, 'sim_bad_upload', message);
  }
  const bytes = Buffer.from(await file.arrayBuffer());
  storeUpload(world, openSession(world, upload.objectKey), bytes);
  return emptyAnswer();
};

async function parseForm({ headers }: Incoming, body: Buffer): Promise<FormData> {
  const contentType = headers['content-type'] ?? '';
  try {
    return await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    }).formData();
  } catch {
    throw new Refusal(400, 'sim_bad_upload', 'The body is not a multipart form.');
  }
}

const download: FileHandler = (world, { query }, attachmentId) => {
  const expiresAtMs = Number(query.get('expires'));
  if (query.get('signature') !== downloadSignature(world, attachmentId, expiresAtMs))
    throw forbidden('The signature of this URL is missing or invalid.');
  if (world.clock.now() >= expiresAtMs)
    throw new Refusal(410, 'sim_address_expired', 'This URL has expired. Request a new one.');
  return downloadAnswer(attachmentBytes(world, attachmentId));
};

const publicFile: FileHandler = (world, _incoming, id) =>
  downloadAnswer(publicBytes(world, objectKeyOf(id)));

const image: FileHandler = (world, _incoming, id) => ({
  status: 200,
  headers: {
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-cache',
  },
  body: emojiImage(requireRecord(world.state.emojis, 'emoji', id)),
});

/** Returns an SVG placeholder for a custom emoji: its first letter on a color derived from its id, pulsing if animated. */
function emojiImage({ id, name, isAnimated }: EmojiRecord): string {
  const hue = Number.parseInt(hash('sha1', id).slice(0, 4), 16) % 360;
  const letter = /[a-z0-9]/i.exec(name)?.[0].toUpperCase() ?? '?';
  const motion = isAnimated
    ? '<animate attributeName="r" values="30;24;30" dur="1s" repeatCount="indefinite"/>'
    : '';
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">',
    `<circle cx="32" cy="32" r="30" fill="hsl(${hue} 65% 45%)">${motion}</circle>`,
    '<text x="32" y="43" text-anchor="middle" font-family="sans-serif" font-size="32"',
    ` font-weight="bold" fill="#fff">${letter}</text></svg>`,
  ].join('');
}
