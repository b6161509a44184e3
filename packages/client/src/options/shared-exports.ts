// The names that both entries, `rest` and `gateway`, export.
export type { ClientOptions } from './client-options.js';
export type { ProxyOptions } from '../request/proxy.js';
export type {
  BotMe,
  Message,
  MessageAttachment,
  MessagePage,
  Profile,
  ProfileSettings,
  ReactionEmoji,
  ReactionSummary,
  VoiceParticipant,
} from '@virgule/core/protocol';
export type { Clock, SleepOptions, Timer, TimerOptions } from '@virgule/core/clock';
export type { Log, LogLevel } from '@virgule/core/log';
export {
  isVirguleError,
  VirguleError,
  type ErrorKind,
  type SourceLocation,
  type VirguleErrorInit,
} from '@virgule/core/errors';
export {
  isAborted,
  isBadAddress,
  isInvalidCall,
  isShuttingDown,
  isUnauthorized,
  isUnreachable,
  type ClientError,
  type ClientErrorCode,
  type ClientErrorDetails,
} from '../errors/error-guards.js';
export type { AddressName, CallFacts, CallPhase } from '../errors/client-errors.js';
