import { TYPING_MS } from '@virgule/core/protocol';
import type { Log } from '@virgule/core/log';
import type { SimEvent } from '@virgule/core/simulator-api';
import type { Change } from '../world/change.js';
import { simMessage } from '../world/message-view.js';
import { simBot, simCommands } from '../world/bots.js';
import { simInteraction, simPlaces, simSnapshot, simVoice } from '../world/sim-views.js';
import type { World } from '../world/world.js';

/** The changes of the world, in the form for the page and the test kit. */
export type SimFeed = ReturnType<typeof createSimFeed>;

export function createSimFeed(world: World, log: Log) {
  const listeners = new Set<(event: SimEvent) => void>();
  world.subscribe((change) => {
    const event = listeners.size === 0 ? undefined : simEvent(world, change);
    if (event === undefined) return;
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        // Listeners are foreign code: an error in one must not affect the platform.
        log.error({ error, event: event.type }, 'event listener failed');
      }
    }
  });
  /** Adds a listener. Returns a function that removes the listener. */
  return (listener: (event: SimEvent) => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
}

/** Returns the event for a change, or `undefined` if the page does not show it. */
function simEvent(world: World, change: Change): SimEvent | undefined {
  switch (change.type) {
    case 'message.created':
      return messageEvent(world, change.message.id);
    case 'message.edited':
    case 'message.deleted':
    case 'reaction.added':
    case 'reaction.removed':
      return messageEvent(world, change.messageId);
    case 'typing.started': {
      const { channelId, userId } = change;
      return { type: 'typing', channelId, userId, forMs: TYPING_MS };
    }
    case 'voice.changed':
      return { type: 'voice', voice: simVoice(world, change.voice) };
    case 'commands.replaced':
      return { type: 'commands', commands: simCommands(world.state) };
    case 'interaction.created':
    case 'interaction.changed':
      return { type: 'interaction', interaction: simInteraction(world, change.interaction) };
    case 'bot.changed':
      return { type: 'bot', bot: simBot(change.bot) };
    case 'place.saved':
    case 'place.removed':
      return { type: 'places', places: simPlaces(world) };
    case 'clock.changed':
      return { type: 'clock', clock: change.clock };
    case 'code.reloaded':
      return { type: 'reloaded', files: change.files };
    case 'problems.reported':
      return { type: 'problems', problems: change.problems };
    case 'bot.removed':
    case 'world.replaced':
      return { type: 'snapshot', snapshot: simSnapshot(world) };
    case 'messages.forgotten':
    case 'interactions.forgotten':
    case 'upload.opened':
    case 'upload.stored':
    case 'upload.expired':
      return undefined;
  }
}

function messageEvent(world: World, messageId: string): SimEvent | undefined {
  const message = world.state.messages.get(messageId);
  return message && { type: 'message', message: simMessage(world, message) };
}
