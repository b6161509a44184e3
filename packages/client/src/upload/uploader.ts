import type { UploadSession } from '@virgule/core/protocol';
import { resolveAddress } from '../address/resolve-address.js';
import type { Caller } from '../call/caller.js';
import type { RequestPlan } from '../call/request-plan.js';
import type { CallOptions } from '../rest/rest-options.js';
import { encodeMultipart, mediaType, type FormFile } from './multipart.js';

/** A file to upload. */
export interface UploadFile extends FormFile {
  /** Name that others see. */
  readonly fileName: string;
  /** Media type, `image/png`. */
  readonly contentType: string;
  /** The whole file. */
  readonly bytes: Uint8Array;
}

export type Uploader = (
  session: UploadSession,
  file: UploadFile,
  options?: CallOptions,
) => Promise<void>;

export interface UploaderOptions {
  readonly caller: Caller;
  readonly random: () => number;
  /** An `uploadUrl` without a host is relative to this. */
  readonly baseUrl: string;
  /** Time for an upload that does not say its own, in milliseconds. */
  readonly deadlineMs: number;
}

export function createUploader({ caller, random, baseUrl, deadlineMs }: UploaderOptions): Uploader {
  return async (session, file, options = {}) => {
    await caller.send(planUpload(session, file, baseUrl, random), {
      signal: options.signal,
      deadlineMs: options.deadlineMs ?? deadlineMs,
    });
  };
}

function planUpload(
  session: UploadSession,
  file: UploadFile,
  baseUrl: string,
  random: () => number,
): RequestPlan {
  const url = URL.canParse(session.uploadUrl, baseUrl)
    ? new URL(session.uploadUrl, baseUrl)
    : undefined;
  const { origin } = resolveAddress('uploadUrl', url?.href ?? session.uploadUrl, [
    'http:',
    'https:',
  ]);
  const byForm = Object.keys(session.fields).length > 0;
  const { contentType, bytes } = byForm
    ? encodeMultipart(session.fields, file, random)
    : { contentType: mediaType(file.contentType), bytes: file.bytes };
  const method = byForm ? 'POST' : 'PUT';
  return {
    endpoint: 'attachments.upload',
    // Path and query of the address are a permission to write: they stay out of errors and logs.
    route: `${method} ${origin}`,
    lane: 'upload',
    bucket: `attachments.upload ${origin}`,
    // The same bytes under the same key: a second time changes nothing more.
    retry: 'repeatable',
    origin,
    method,
    path: `${url?.pathname ?? '/'}${url?.search ?? ''}`,
    headers: { 'content-type': contentType, 'user-agent': 'Virgule' },
    body: bytes,
    carriesToken: false,
    needsBody: false,
    doneBefore: () => false,
    // A large file on a slow line takes its time; the deadline alone ends it.
    headersMs: Number.POSITIVE_INFINITY,
    bodyMs: Number.POSITIVE_INFINITY,
  };
}
