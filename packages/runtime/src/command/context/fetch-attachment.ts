import type { BotEnvironment } from '../environment.js';
import type { HandlerContext } from './shared-context.js';

/** Returns the downloads of handlers that end with a signal, which is read when one begins. */
export const fetchAttachments =
  (
    { rest, attachmentHosts: hosts }: Pick<BotEnvironment, 'rest' | 'attachmentHosts'>,
    scope: { readonly signal: AbortSignal },
  ): HandlerContext['fetchAttachment'] =>
  (url, options) =>
    rest.attachments.download(url, { ...options, hosts, signal: scope.signal });
