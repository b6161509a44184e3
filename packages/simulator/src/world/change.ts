import type { SimClockState, SimProblem } from '@virgule/core/simulator-api';
import type {
  BotRecord,
  ChannelRecord,
  EmojiKey,
  InteractionRecord,
  MessageRecord,
  RoleRecord,
  ServerRecord,
  UploadRecord,
  UserRecord,
  VoiceRecord,
  WorldState,
} from './state.js';

/** The lists of the state that a developer edits. */
export const PLACE_LISTS = ['users', 'servers', 'channels', 'roles'] as const;
export type PlaceList = (typeof PLACE_LISTS)[number];
export type PlaceRecord = UserRecord | ServerRecord | ChannelRecord | RoleRecord;

/**
 * A change of the world, as plain data, with the new state of the record that changes: the same changes to the same seed
 * result in the same world. The bytes of uploads are not part of a change.
 */
export type Change =
  | {
      readonly type: 'message.created' | 'message.edited' | 'message.deleted' | 'message.failed';
      readonly message: MessageRecord;
    }
  | { readonly type: 'messages.forgotten'; readonly channelId: string; readonly count: number }
  | {
      readonly type: 'reaction.added' | 'reaction.removed';
      readonly message: MessageRecord;
      readonly userId: string;
      readonly emoji: EmojiKey;
    }
  | { readonly type: 'typing.started'; readonly channelId: string; readonly userId: string }
  | {
      readonly type: 'voice.changed';
      readonly voice: VoiceRecord;
      /** A user who joined or left the channel. */
      readonly presence: { readonly userId: string; readonly isPresent: boolean } | null;
    }
  | { readonly type: 'upload.opened' | 'upload.stored'; readonly upload: UploadRecord }
  | { readonly type: 'upload.expired'; readonly objectKey: string }
  | { readonly type: 'place.saved'; readonly list: PlaceList; readonly record: PlaceRecord }
  | { readonly type: 'place.removed'; readonly list: PlaceList; readonly id: string }
  /** The whole state is new: see `replaceWorld`. */
  | { readonly type: 'world.replaced'; readonly state: WorldState }
  | {
      readonly type: 'interaction.created' | 'interaction.changed';
      readonly interaction: InteractionRecord;
    }
  | { readonly type: 'interactions.forgotten'; readonly interactionIds: readonly string[] }
  /** A bot was added, or its connection changed; its commands were replaced; it was deleted. */
  | { readonly type: 'bot.changed' | 'commands.replaced' | 'bot.removed'; readonly bot: BotRecord }
  | { readonly type: 'clock.changed'; readonly clock: SimClockState }
  | { readonly type: 'code.reloaded'; readonly files: readonly string[] }
  | { readonly type: 'problems.reported'; readonly problems: readonly SimProblem[] };
