import { isApiRefused } from '@virgule/client/rest';

/**
 * Sends a message as a reply. A refused reply is sent without its reference: the other message may be deleted. How the platform
 * refuses such a reply is assumed.
 */
export const sendReply = <Sent>(
  send: (replyTo?: string) => Promise<Sent>,
  replyTo?: string,
): Promise<Sent> =>
  send(replyTo).catch((error: unknown) => {
    if (replyTo !== undefined && isApiRefused(error)) return send();
    throw error;
  });
