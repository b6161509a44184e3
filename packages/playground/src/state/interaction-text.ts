import type { SimInteraction } from '@virgule/core/simulator-api';
import { botName } from './bots.js';
import { formatDuration, formatWait } from './format.js';
import type { World } from './world.js';

/** Returns the state of an interaction in words; the detail is a countdown or a reason. */
export function describeInteraction(
  interaction: SimInteraction,
  world: Pick<World, 'bots' | 'profile'>,
  nowMs: number,
) {
  const name = botName(world, interaction.botUserId);
  const left =
    interaction.expiresAt === null
      ? ''
      : `expires in ${formatWait(Date.parse(interaction.expiresAt) - nowMs)}`;
  const reason = expiryReason(interaction, world);
  const texts = {
    deferred: { tone: 'thinking', text: `${name} is thinking`, detail: left },
    acknowledged: { tone: 'quiet', text: 'acknowledged, no response', detail: '' },
    expired: { tone: 'error', text: `${name} did not respond in time.`, detail: reason },
    waiting: { tone: 'quiet', text: 'waiting for the bot', detail: left },
  } as const;
  return texts[interaction.state === 'answered' ? 'waiting' : interaction.state];
}

function expiryReason(
  { botUserId, wasDeferred }: SimInteraction,
  { bots, profile }: Pick<World, 'bots' | 'profile'>,
): string {
  const isConnected = bots.some((bot) => bot.botUserId === botUserId && bot.connected);
  const where = isConnected ? '' : ' The bot is not connected.';
  if (profile === null) return `No answer in time.${where}`;
  return wasDeferred
    ? `Deferred, then no answer within ${formatDuration(profile.deferredWindowMs)}.${where}`
    : `No first answer within ${formatDuration(profile.answerWindowMs)}.${where}`;
}
