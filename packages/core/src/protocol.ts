// Internal: for packages of this repository, without a semver promise.
export { readLeniently, type LenientReading } from './protocol/read-leniently.js';
export { ENDPOINTS } from './protocol/endpoints.js';
export {
  API_PREFIX,
  type Endpoint,
  type EndpointName,
  type HttpMethod,
  type Permission,
  type RetryClass,
} from './protocol/endpoint.js';
export { endpointPath } from './protocol/paths.js';
export { assumptionOf, type NotShown } from './protocol/assumed.js';
export { PROFILE_NAMES, PROFILES, profileNamed, type ProfileName } from './protocol/profiles.js';
export {
  ASSUMPTIONS,
  DEFAULT_PROFILE,
  resolveProfile,
  TYPING_MS,
  UPLOAD_LIFETIME_MS,
  type Profile,
  type ProfileSettings,
} from './protocol/profile.js';
export {
  EVENT_ALIASES,
  EVENTS,
  GATEWAY_PATH,
  INTENTS,
  OPS,
  applicationCommandEventSchema,
  frameSchema,
  helloSchema,
  identifySchema,
  messageDeleteEventSchema,
  messageEventSchema,
  reactionEventSchema,
  readySchema,
  voiceStateEventSchema,
  type ApplicationCommandEvent,
  type EventDefinition,
  type EventName,
  type EventPayloads,
  type Frame,
  type Hello,
  type Identify,
  type Intent,
  type MessageDeleteEvent,
  type MessageEvent,
  type Op,
  type ReactionEvent,
  type Ready,
  type VoiceStateEvent,
} from './protocol/gateway.js';
export {
  botMeSchema,
  channelSchema,
  customEmojiSchema,
  serverSchema,
  type BotMe,
  type Channel,
  type CustomEmoji,
  type Server,
} from './protocol/identity.js';
export {
  contentSchema,
  createBotMessageRequestSchema,
  editMessageRequestSchema,
  messageAttachmentDraftSchema,
  messageAttachmentSchema,
  messageContextQuerySchema,
  messageContextSchema,
  messagePageQuerySchema,
  messagePageSchema,
  messageSchema,
  type CreateBotMessageRequest,
  type EditMessageRequest,
  type Message,
  type MessageAttachment,
  type MessageAttachmentDraft,
  type MessageContext,
  type MessageContextQuery,
  type MessagePage,
  type MessagePageQuery,
} from './protocol/messages.js';
export {
  messageReactionDetailsSchema,
  messageReactionUpdateSchema,
  reactionEmojiSchema,
  reactionMutationRequestSchema,
  reactionQuerySchema,
  reactionSummarySchema,
  reactionUsersGroupSchema,
  type MessageReactionDetails,
  type MessageReactionUpdate,
  type ReactionEmoji,
  type ReactionMutationRequest,
  type ReactionQuery,
  type ReactionSummary,
  type ReactionUsersGroup,
} from './protocol/reactions.js';
export {
  attachmentAccessUrlSchema,
  createUploadSessionRequestSchema,
  uploadSessionSchema,
  type AttachmentAccessUrl,
  type CreateUploadSessionRequest,
  type UploadSession,
} from './protocol/uploads.js';
export {
  voiceIngressSchema,
  voiceJoinSchema,
  voiceParticipantSchema,
  voiceStateSchema,
  type VoiceIngress,
  type VoiceJoin,
  type VoiceParticipant,
  type VoiceState,
} from './protocol/voice.js';
export {
  OPTION_TYPES,
  commandOptionSchema,
  commandSchema,
  readCommandSchema,
  syncItemOf,
  syncCommandItemSchema,
  syncCommandsRequestSchema,
  type Command,
  type CommandOption,
  type OptionType,
  type SyncCommandItem,
  type SyncCommandsRequest,
} from './protocol/commands.js';
export {
  interactionResponseRequestSchema,
  runCommandRequestSchema,
  type InteractionResponseRequest,
  type RunCommandRequest,
} from './protocol/interactions.js';
export {
  API_ERROR_CODES,
  RATE_LIMIT_HEADERS,
  apiErrorBodySchema,
  type ApiErrorBody,
} from './protocol/error-body.js';
export {
  CONTENT_MAX_LENGTH,
  CONTENT_MIN_LENGTH,
  DESCRIPTION_MAX_LENGTH,
  NAME_PATTERN,
  PAGE_DEFAULTS,
} from './protocol/limits.js';
export { dateTimeSchema, idSchema } from './protocol/values.js';
