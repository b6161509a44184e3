import type { UploadSession } from '@virgule/core/protocol';
import type { FileInput, RestOptions } from '@virgule/client/rest';
import { readFixture } from './read-fixture.js';
import {
  startScriptedServer,
  type Answer,
  type Fault,
  type ReceivedRequest,
} from './scripted-server.js';
import { CHANNEL, openRest } from './test-rest.js';

export const bytes = new Uint8Array([0, 1, 13, 10, 255]);
export const sent = readFixture('assumed-message-plain');

export interface StorageOptions {
  readonly maxBytes?: number;
  /** Form fields of each session; none means PUT. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Returns the end of the n-th session. */
  readonly expiresAt?: (index: number) => string;
  /** Returns the answer to the n-th upload. */
  readonly upload?: (index: number, request: ReceivedRequest) => Answer | Fault | Promise<Answer>;
  readonly session?: (index: number) => Answer | Fault | undefined;
  readonly client?: Partial<RestOptions>;
}

/** A platform, and a storage on another port. */
export async function openPlatform(options: StorageOptions = {}) {
  const { maxBytes = 1_000_000, fields = {}, expiresAt = () => '2099-01-01T00:00:00Z' } = options;
  const storage = await startScriptedServer((request, index) =>
    options.upload ? options.upload(index, request) : {},
  );
  let sessions = 0;
  const server = await startScriptedServer(({ path }) => {
    if (!path.endsWith('/upload-session')) return { json: sent };
    const index = sessions;
    sessions += 1;
    const session: UploadSession = {
      uploadUrl: `${storage.url}/bucket/${index}?signature=s3cret`,
      objectKey: `key-${index}`,
      publicUrl: '',
      fields,
      expiresAt: expiresAt(index),
      maxBytes,
    };
    return options.session?.(index) ?? { json: session };
  });
  return { rest: openRest(server.url, options.client), server, storage };
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>;

export const names = ({ server }: Platform): string[] =>
  server.requests.map(({ path }) => path.split('/').at(-1) ?? '');

export const send = ({ rest }: Platform, ...files: FileInput[]): Promise<unknown> =>
  rest.messages.send(CHANNEL, { content: 'Look', files });
