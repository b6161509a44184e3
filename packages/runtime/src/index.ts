// Functions and types for writing bots, most used first.
export {
  defineCommand,
  type CommandDefinition,
  type CommandSettings,
  type ToolApproval,
} from './command/define/define-command.js';
export {
  defineEvent,
  type EventDefinition,
  type EventOptions,
  type EventOrder,
  type Events,
  type FrameworkEvents,
} from './events/define-event.js';
export {
  defineErrorHandler,
  defineMiddleware,
  type ErrorHandler,
  type Middleware,
  type MiddlewareSettings,
} from './command/define/define-middleware.js';
export {
  defineEventErrorHandler,
  defineEventMiddleware,
  type EventErrorHandler,
  type EventMiddleware,
} from './events/define-event-middleware.js';
export {
  defineServices,
  type CreateServices,
  type ServicesContext,
} from './services/define-services.js';
export {
  defineTask,
  type AskedTaskContext,
  type AskedTaskDefinition,
  type AskHandle,
  type AskOptions,
  type ListTasksOptions,
  type PendingTask,
  type RepeatOptions,
  type TaskAnswers,
  type TaskContext,
  type TaskDefinition,
  type TaskHandle,
  type TaskHandles,
  type TaskRepeat,
  type Tasks,
} from './tasks/define-task.js';
export { defineConfig, type Config, type LogLevelName } from './config/define-config.js';
export {
  option,
  type DurationLimits,
  type DurationSchema,
  type FromText,
  type UserOrAuthorSchema,
} from './options/option.js';
export type {
  ChannelRef,
  MentionableRef,
  MessageRef,
  RoleRef,
  UserRef,
} from './options/references.js';
export { formatHelp, helpCommand } from './command/define/help-command.js';
export { UserError } from './errors/user-error.js';
export { isInvalidInput, type InvalidInputError } from './errors/error-guards.js';
export type {
  ConcurrencySetting,
  CooldownSetting,
  ThrottleKey,
  ThrottleScope,
} from './command/throttle/throttle-settings.js';

// The parts of a bot, filled by declaration merging.
export type {
  CommandMeta,
  EnvValues,
  Locals,
  Meta,
  Register,
  Services,
  UnregisteredEnv,
  UnregisteredServices,
} from './command/register.js';

// The arguments and results of handlers.
export type {
  Answer,
  AnswerStates,
  EditInput,
  MessageInput,
  MessageParts,
} from './command/answer/answer.js';
export type { Duration, Milliseconds } from './text/duration.js';
export type { CommandContext } from './command/context/command-context.js';
export { requireAuthor } from './command/define/require-author.js';
export type { Author } from './command/author.js';
export type { MessageCommands } from './command/message-commands.js';
export type { Caller } from './command/answer/received-command.js';
export type { CallCommand, CallOptions, CallResult, CreateTools } from './command/context/call.js';
export type { CommandTool } from './command/context/to-tool.js';
export type { FetchAttachmentOptions } from './command/context/shared-context.js';
export type { EventContext } from './events/event-context.js';
export type { ChannelHistoryOptions, ChatMessage } from './command/context/channel-history.js';
export type { AppendOptions, ChannelHandle } from './command/context/shared-context.js';
export type { CommandInfo, OptionInfo } from './command/command-info.js';
export type { SentMessage } from './command/answer/answer.js';
export type { Typing } from './command/context/shared-context.js';
export type { ModelAnswer, TextSource, TextStream } from './command/answer/text-source.js';
export type {
  ConfirmOptions,
  MessageReference,
  PaginateOptions,
  ReactionsOptions,
  WaitForMessageOptions,
} from './command/waits/wait-calls.js';
export type { Who } from './command/waits/listener.js';
export type { ContextClock } from './command/context/shared-context.js';
export type { ContextLog, WriteLogLine } from './command/context/context-log.js';

// Persistent storage.
export { memory } from './storage/memory-storage.js';
export { sqlite, type SqliteOptions } from './storage/sqlite-storage.js';
export type {
  Storage,
  EntryOptions,
  ListOptions,
  StorageEntry,
  StoredObject,
  StoreOptions,
  UpdateOptions,
} from './storage/storage.js';
export type { Storable } from './storage/json-text.js';
export type {
  Expiry,
  ListRequest,
  OpenStorage,
  StorageDriver,
  StorageSetting,
  StoredEntry,
} from './storage/storage-driver.js';

// Extended by the package for voice.
export type { BotVoice } from './voice/voice-setting.js';

// Running a bot from code.
export type { Text, TextContext, Texts } from './command/texts.js';
export type { ExpectedValue, InputFailure } from './errors/error-guards.js';
export { startBot, type StartBotOptions, type SyncMode } from './bot/start-bot.js';
export type { Bot } from './bot/running-bot.js';
export type { BotObserver, Work } from './command/observer.js';
export type { FailedSetting } from './observe/recorder.js';
