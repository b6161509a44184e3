// `/_files/*`: the bytes of uploads and downloads, and the images of emojis. The Bot Interface
// hands out these addresses but says nothing about what answers there.
import {
  attachmentBytes,
  downloadSignature,
  openSession,
  publicBytes,
  storeUpload,
  uploadFields,
} from '../world/attachments.js';
import { forbidden, notFound, Refusal } from '../world/refusal.js';
import type { UploadRecord } from '../world/state.js';
import type { World } from '../world/world.js';
import { downloadAnswer } from './download-answer.js';
import { emojiImage } from './emoji-image.js';
import { emptyAnswer, type Answer, type Incoming } from './exchange.js';
import { createRouter } from './router.js';

/** What a multipart body may have beside the file, in bytes. */
const MULTIPART_EXTRA_BYTES = 64 * 1024;

export interface FilesApi {
  /** @throws Refusal for everything that is not answered with success. */
  handle(incoming: Incoming): Promise<Answer>;
}

type FileHandler = (
  world: World,
  incoming: Incoming,
  parameters: Readonly<Record<string, string>>,
) => Answer | Promise<Answer>;

export function createFilesApi(world: World): FilesApi {
  const router = createRouter<FileHandler>([
    { method: 'POST', path: '/_files/uploads/{id}', value: receiveForm },
    { method: 'PUT', path: '/_files/uploads/{id}', value: receiveBytes },
    { method: 'GET', path: '/_files/uploads/{id}', value: publicFile },
    { method: 'GET', path: '/_files/attachments/{id}', value: download },
    { method: 'GET', path: '/_files/emojis/{id}', value: image },
  ]);
  return {
    async handle(incoming) {
      const { method, path } = incoming;
      const match = router.match(method, path);
      if (match === undefined) {
        const methods = router.methods(path);
        if (methods.length === 0) throw notFound('file', path);
        throw new Refusal(405, 'sim_method_not_allowed', `${path} takes ${methods.join(', ')}.`);
      }
      return match.value(world, incoming, match.parameters);
    },
  };
}

/** The open session of an upload, which must be sent by the method that the profile says. */
function sessionFor(
  world: World,
  method: 'POST' | 'PUT',
  parameters: Readonly<Record<string, string>>,
): UploadRecord {
  const { uploadMethod } = world.profile;
  if (uploadMethod !== method) {
    throw new Refusal(405, 'sim_method_not_allowed', `Files are sent by ${uploadMethod}.`);
  }
  return openSession(world, objectKeyIn(parameters));
}

const objectKeyIn = (parameters: Readonly<Record<string, string>>): string =>
  `uploads/${parameters['id'] ?? ''}`;

const receiveBytes: FileHandler = async (world, incoming, parameters) => {
  const { objectKey } = sessionFor(world, 'PUT', parameters);
  const bytes = await incoming.body(world.profile.uploadMaxBytes);
  // The session may have ended while the bytes came.
  storeUpload(world, openSession(world, objectKey), bytes);
  return emptyAnswer();
};

const receiveForm: FileHandler = async (world, incoming, parameters) => {
  const upload = sessionFor(world, 'POST', parameters);
  const maxBytes = world.profile.uploadMaxBytes + MULTIPART_EXTRA_BYTES;
  const form = await parseForm(incoming, await incoming.body(maxBytes));
  for (const [name, value] of Object.entries(uploadFields(world, upload))) {
    if (form.get(name) !== value) {
      throw forbidden(`The form field ${name} is missing or is not the session's.`, { name });
    }
  }
  const files = [...form.values()].filter((value) => typeof value !== 'string');
  const [file] = files;
  if (file === undefined || files.length > 1) {
    throw new Refusal(400, 'sim_bad_upload', `The form carries ${files.length} files, not one.`);
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

/** The address is good when we signed it and its time has not come. */
const download: FileHandler = (world, { query }, parameters) => {
  const attachmentId = parameters['id'] ?? '';
  const expiresAtMs = Number(query.get('expires'));
  if (query.get('signature') !== downloadSignature(world, attachmentId, expiresAtMs)) {
    throw forbidden('The signature of this address is missing or wrong.');
  }
  if (world.clock.now() >= expiresAtMs) {
    throw new Refusal(410, 'sim_address_expired', 'This address has expired; ask for a new one.');
  }
  return downloadAnswer(attachmentBytes(world, attachmentId));
};

const publicFile: FileHandler = (world, _incoming, parameters) =>
  downloadAnswer(publicBytes(world, objectKeyIn(parameters)));

const image: FileHandler = (world, _incoming, parameters) => {
  const emoji = world.state.emojis.get(parameters['id'] ?? '');
  if (emoji === undefined) throw notFound('emoji', parameters['id'] ?? '');
  return {
    status: 200,
    headers: {
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-cache',
    },
    body: emojiImage(emoji),
  };
};
