import type { Profile } from '@virgule/core/protocol';
import type { SimInteraction } from '@virgule/core/simulator-api';
import { timeOf } from './message-time.js';
import { formatCountdown, formatDuration } from './format.js';

/** The text of an interaction without an answer. */
export interface InteractionText {
  readonly tone: 'quiet' | 'thinking' | 'error';
  readonly text: string;
  /** Secondary text: a countdown or a reason. */
  readonly detail: string;
}

export interface InteractionTextInput {
  readonly interaction: SimInteraction;
  readonly botName: string;
  readonly isBotConnected: boolean;
  readonly profile: Profile | null;
  readonly nowMs: number;
}

function expiryReason(input: InteractionTextInput): string {
  const { interaction, profile, isBotConnected } = input;
  const where = isBotConnected ? '' : ' The bot is not connected.';
  if (profile === null) return `No answer in time.${where}`;
  return interaction.wasDeferred
    ? `Deferred, then no answer within ${formatDuration(profile.deferredWindowMs)}.${where}`
    : `No first answer within ${formatDuration(profile.answerWindowMs)}.${where}`;
}

/** Returns the text of an interaction without an answer. */
export function describeInteraction(input: InteractionTextInput): InteractionText {
  const { interaction, botName, nowMs } = input;
  const left =
    interaction.expiresAt === null
      ? ''
      : `expires in ${formatCountdown(timeOf(interaction.expiresAt) - nowMs)}`;
  switch (interaction.state) {
    case 'deferred':
      return { tone: 'thinking', text: `${botName} is thinking`, detail: left };
    case 'acknowledged':
      return { tone: 'quiet', text: 'acknowledged, no response', detail: '' };
    case 'expired':
      return {
        tone: 'error',
        text: `${botName} did not respond in time.`,
        detail: expiryReason(input),
      };
    case 'waiting':
    case 'answered':
    default:
      return { tone: 'quiet', text: 'waiting for the bot', detail: left };
  }
}
