// For writing bots, most used first.
export {
  defineCommand,
  type CommandDefinition,
  type CommandSettings,
} from './define/define-command.js';
export {
  defineEvent,
  type EventDefinition,
  type EventOptions,
  type EventOrder,
  type Events,
  type FrameworkEvents,
} from './define/define-event.js';
export {
  defineErrorHandler,
  defineMiddleware,
  type ErrorHandler,
  type Middleware,
  type MiddlewareSettings,
} from './define/define-middleware.js';
export {
  defineEventErrorHandler,
  defineEventMiddleware,
  type EventErrorHandler,
  type EventMiddleware,
} from './define/define-event-middleware.js';
export {
  defineServices,
  type CreateServices,
  type ServicesContext,
} from './define/define-services.js';
export {
  defineTask,
  type ListTasksOptions,
  type PendingTask,
  type TaskDefinition,
  type TaskHandle,
  type TaskHandles,
  type Tasks,
  type TaskSettings,
} from './define/define-task.js';
export { defineConfig, type Config, type LogLevelName } from './define/define-config.js';
export {
  option,
  type DurationLimits,
  type DurationSchema,
  type FromText,
} from './options/option.js';
export type {
  ChannelRef,
  MentionableRef,
  MessageRef,
  RoleRef,
  UserRef,
} from './options/references.js';
export { formatHelp } from './context/format-help.js';
export { helpCommand } from './define/help-command.js';
export { UserError } from './define/user-error.js';
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
} from './define/register.js';

// The arguments and results of handlers.
export type {
  Answer,
  AnswerStates,
  EditInput,
  MessageInput,
  MessageParts,
} from './define/answer.js';
export type { Duration, Milliseconds } from './define/duration.js';
export type { CommandContext } from './context/command-context.js';
export type { FetchAttachmentOptions } from './context/shared-context.js';
export type { EventContext } from './context/event-context.js';
export type { TaskContext } from './context/task-context.js';
export type { AppendOptions, ChannelHandle } from './context/channel-handle.js';
export type { CommandInfo, OptionInfo } from './context/command-info.js';
export type { SentMessage } from './context/sent-message.js';
export type { Typing } from './context/typing.js';
export type { TextReader, TextSource, TextStream } from './define/text-source.js';
export type { ConfirmOptions } from './waits/confirm.js';
export type { PaginateOptions } from './waits/paginate.js';
export type { MessageReference, ReactionsOptions } from './waits/reactions.js';
export type { WaitForMessageOptions } from './waits/wait-for-message.js';
export type { Who } from './waits/listener.js';
export type { ContextClock } from './context/context-clock.js';
export type { ContextLog, WriteLogLine } from './context/context-log.js';

// What a bot remembers.
export { memory } from './storage/memory-storage.js';
export { sqlite, type SqliteOptions } from './storage/sqlite-storage.js';
export {
  createStorage,
  StorageConnection,
  type Storage,
  type ListOptions,
  type StorageEntry,
  type StoreOptions,
  type UpdateOptions,
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

// Running a bot from code.
export type { Text, TextContext, Texts } from './define/texts.js';
export type { InputFailure } from './raw-input/input-failure.js';
export type { CooldownStore } from './command/throttle/cooldown-store.js';
export type {
  ConcurrencySlot,
  ConcurrencyStore,
  AcquireOptions,
} from './command/throttle/concurrency-store.js';
export type {
  DeadEvent,
  DeadEvents,
  Role,
  ScaledGateway,
  Scale,
  ScaleContext,
  ScaledGatewayOptions,
  ScaledProcess,
} from './scale/scale.js';
export type { ObservedWait } from './waits/waits.js';
export type { BotEvent, BotListener, GatewayPort, QueuedDelivery } from './bot/gateway-port.js';
export type { BotVoice, OpenedVoice, OpenVoice, VoiceSetting } from './voice/voice-setting.js';
export { startBot, type StartBotOptions, type SyncMode } from './bot/start-bot.js';
export { createBot, type Bot, type BotOptions } from './bot/create-bot.js';
export type { BotObserver, CommandRecord, CommandStart, Trace } from './bot/bot-observer.js';
export { guardOutput, type GuardedOutput } from './process/guard-output.js';
export { runBot, type RunBotOptions } from './process/run-bot.js';
