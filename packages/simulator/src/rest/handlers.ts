import type { Handlers } from './call.js';
import { attachmentHandlers } from './handlers/attachments.js';
import { commandHandlers } from './handlers/commands.js';
import { identityHandlers } from './handlers/identity.js';
import { interactionHandlers } from './handlers/interactions.js';
import { messageHandlers } from './handlers/messages.js';
import { reactionHandlers } from './handlers/reactions.js';
import { voiceHandlers } from './handlers/voice.js';

export const handlers: Handlers = {
  ...identityHandlers,
  ...messageHandlers,
  ...reactionHandlers,
  ...attachmentHandlers,
  ...voiceHandlers,
  ...commandHandlers,
  ...interactionHandlers,
};
