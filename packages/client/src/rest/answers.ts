import type {
  AttachmentAccessUrl,
  BotMe,
  Channel,
  Command,
  CustomEmoji,
  EndpointName,
  Message,
  MessageContext,
  MessagePage,
  MessageReactionDetails,
  MessageReactionUpdate,
  Server,
  UploadSession,
  VoiceIngress,
  VoiceJoin,
  VoiceState,
} from '@virgule/core/protocol';

/** The endpoints of a bot. */
export type BotEndpointName = Exclude<EndpointName, 'user.runCommand'>;

/** What each endpoint returns, `| undefined` where the Bot Interface does not show the body. */
export interface Answers {
  readonly 'users.me': BotMe;
  readonly 'servers.list': readonly Server[];
  readonly 'servers.channels': readonly Channel[];
  readonly 'servers.emojis': readonly CustomEmoji[];
  readonly 'messages.list': MessagePage;
  readonly 'messages.send': Message | undefined;
  readonly 'messages.delete': void;
  readonly 'messages.get': Message;
  readonly 'messages.edit': Message | undefined;
  readonly 'messages.context': MessageContext;
  readonly 'channels.typing': void;
  readonly 'reactions.clear': MessageReactionUpdate | undefined;
  readonly 'reactions.list': MessageReactionUpdate | undefined;
  readonly 'reactions.details': MessageReactionDetails;
  readonly 'reactions.remove': MessageReactionUpdate | undefined;
  readonly 'reactions.add': MessageReactionUpdate | undefined;
  readonly 'reactions.removeUser': MessageReactionUpdate | undefined;
  readonly 'attachments.accessUrl': AttachmentAccessUrl;
  readonly 'attachments.openUpload': UploadSession;
  readonly 'voice.closeIngress': void;
  readonly 'voice.openIngress': VoiceIngress;
  readonly 'voice.join': VoiceJoin;
  readonly 'voice.leave': void;
  readonly 'voice.state': VoiceState | undefined;
  readonly 'commands.list': readonly Command[];
  readonly 'commands.replace': readonly Command[] | undefined;
  readonly 'interactions.ack': void;
  readonly 'interactions.defer': void;
  readonly 'interactions.followUp': Message | undefined;
  readonly 'interactions.editResponse': Message | undefined;
  readonly 'interactions.respond': Message | undefined;
}
