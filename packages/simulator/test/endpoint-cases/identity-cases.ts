import { onServer, hiddenServer, type Row } from './endpoint-case.js';

export const identityCases = {
  'users.me': { request: () => ({}), refused: [] },
  'servers.list': { request: () => ({}), refused: [] },
  'servers.channels': { request: onServer('Sandbox'), refused: [hiddenServer] },
  'servers.emojis': { request: onServer('Sandbox'), refused: [hiddenServer] },
} satisfies Record<string, Row>;
