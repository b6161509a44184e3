// Source: Bot Interface, "Endpoints", copied by hand: the table of the simulator is shared with the client.

/** Method and path of each endpoint; #1 is the first. */
export const ENDPOINT_TABLE = [
  'GET /users/@me',
  'GET /servers',
  'GET /servers/{serverId}/channels',
  'GET /servers/{serverId}/emojis',
  'GET /channels/{channelId}/messages',
  'POST /channels/{channelId}/messages',
  'DELETE /channels/{channelId}/messages/{messageId}',
  'GET /channels/{channelId}/messages/{messageId}',
  'PATCH /channels/{channelId}/messages/{messageId}',
  'GET /channels/{channelId}/messages/{messageId}/context',
  'POST /channels/{channelId}/typing',
  'DELETE /channels/{channelId}/messages/{messageId}/reactions',
  'GET /channels/{channelId}/messages/{messageId}/reactions',
  'GET /channels/{channelId}/messages/{messageId}/reactions/details',
  'DELETE /channels/{channelId}/messages/{messageId}/reactions/me',
  'PUT /channels/{channelId}/messages/{messageId}/reactions/me',
  'DELETE /channels/{channelId}/messages/{messageId}/reactions/users/{userId}',
  'GET /channels/{channelId}/messages/{messageId}/attachments/{attachmentId}/access-url',
  'POST /channels/{channelId}/messages/attachments/upload-session',
  'DELETE /channels/{channelId}/voice/ingress',
  'POST /channels/{channelId}/voice/ingress',
  'POST /channels/{channelId}/voice/join',
  'POST /channels/{channelId}/voice/leave',
  'GET /servers/{serverId}/voice-state',
  'GET /commands',
  'PUT /commands',
  'POST /interactions/{interactionId}/ack',
  'POST /interactions/{interactionId}/defer',
  'POST /interactions/{interactionId}/follow-ups',
  'PATCH /interactions/{interactionId}/response',
  'POST /interactions/{interactionId}/response',
] as const;

/** Returns each endpoint with an id in place of its parameters. */
export function everyEndpoint(
  id = '00000000-0000-4000-8000-000000000000',
): readonly (readonly [number: number, method: string, path: string])[] {
  return ENDPOINT_TABLE.map((row, index) => {
    const [method = '', path = ''] = row.split(' ');
    return [index + 1, method, path.replaceAll(/\{\w+\}/g, id)];
  });
}
