import type { Clock } from '@virgule/core/clock';
import { isObject } from '@virgule/core/objects';
import { ENDPOINTS } from '@virgule/core/protocol';
import type { Accepted } from '../request/caller.js';
import type { FileCallOptions } from '../upload/files.js';
import type { FileSender } from '../upload/send-files.js';
import type { Api } from './api.js';
import { checkFiles, checkInput, checkOptions } from './check-input.js';
import type { InteractionBody, InteractionFilesBody } from './interactions.js';
import type { MessageBody } from './messages.js';

type Name = 'messages.send' | 'interactions.respond' | 'interactions.followUp';

/** Sends a message or an answer: files first, then what carries them. */
export type SendWithFiles = (
  name: Name,
  parameters: Readonly<Record<string, string>>,
  body: MessageBody | InteractionBody,
  options: FileCallOptions | undefined,
) => Promise<Accepted>;

export interface SendWithFilesOptions {
  readonly api: Api;
  readonly sendFiles: FileSender;
  readonly clock: Clock;
  readonly token: string;
  /** Time for a call with files that does not say its own, in milliseconds. */
  readonly uploadDeadlineMs: number;
}

type FilesBody = MessageBody & Partial<InteractionFilesBody>;

export function createSendWithFiles(options: SendWithFilesOptions): SendWithFiles {
  const { api, sendFiles, clock, token, uploadDeadlineMs } = options;

  async function sendFilesFirst(
    name: Name,
    parameters: Readonly<Record<string, string>>,
    { files = [], channelId: ofCommand, ...rest }: FilesBody,
    callOptions: FileCallOptions = {},
  ): Promise<Accepted> {
    checkOptions(name, callOptions);
    checkFiles(name, files);
    const isAnswer = name !== 'messages.send';
    const channelId = (isAnswer ? ofCommand : parameters['channelId']) ?? '';
    const known = rest.attachments ?? [];
    // In an answer, null means no text.
    const message = isAnswer ? { ...rest, content: rest.content || null } : rest;
    const attaching = (attachments: readonly unknown[]) => ({
      parameters,
      body: { ...message, attachments: [...known, ...attachments] },
    });
    const input = attaching(files);
    // Before anything is uploaded for it.
    checkInput(ENDPOINTS[name], { ...input, parameters: { ...parameters, channelId } }, token);
    const { signal, priority, onRetry, deadlineMs = uploadDeadlineMs } = callOptions;
    const dueMs = clock.monotonic() + deadlineMs;
    const drafts = await sendFiles(
      files,
      { endpoint: name, channelId, dueMs, isAnswer },
      callOptions,
    );
    const leftMs = Math.max(0, dueMs - clock.monotonic());
    return api.send(name, attaching(drafts), { signal, priority, onRetry, deadlineMs: leftMs });
  }

  return (name, parameters, body, callOptions) =>
    isObject(body) && 'files' in body && body.files
      ? // The checks find what is missing or invalid in it.
        sendFilesFirst(name, parameters, body as FilesBody, callOptions)
      : api.send(name, { parameters, body }, callOptions);
}
