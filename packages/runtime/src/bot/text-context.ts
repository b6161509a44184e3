import type { TextContext } from '../define/texts.js';
import type { BotEnvironment } from './bot-environment.js';

/** Returns where a text for the user of an event is shown. */
export const textContext = (
  { services, envValues }: BotEnvironment,
  { serverId, channelId }: Pick<TextContext, 'serverId' | 'channelId'>,
): TextContext => ({ serverId, channelId, services, env: envValues });
