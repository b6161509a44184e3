export { createGateway } from './gateway/socket-gateway.js';
export {
  probeGateway,
  type GatewayProbe,
  type ProbeGatewayOptions,
} from './gateway/probe-gateway.js';
export type { GatewayDeadlines, GatewayOptions, TokenState } from './gateway/gateway-options.js';
export type {
  Gateway,
  GatewayCounts,
  GatewayEvent,
  GatewayGap,
  GatewayHealth,
  GatewayListener,
  GatewayStatus,
  KnownEvent,
} from './gateway/port.js';
export type { IdentifyBudget, IdentifyTimes } from './gateway/identify-limiter.js';
export type { GatewayBackfill, MessageHistory } from './gateway/backfill.js';
export type { DeliveryCounts } from './gateway/delivery.js';
export type { FrameCounts } from './gateway/frames.js';
export type {
  GatewaySocket,
  GatewaySocketConstructor,
  GatewaySocketOptions,
  RefusedUpgrade,
  SocketData,
} from './gateway/socket-port.js';
export type { ClientOptions } from './options/client-options.js';
export type { CreateConnection, ProxyOptions } from './request/proxy.js';
export type {
  ApplicationCommandEvent,
  BotMe,
  EventName,
  EventPayloads,
  Intent,
  Message,
  MessageAttachment,
  MessageDeleteEvent,
  MessageEvent,
  MessagePage,
  Profile,
  ProfileSettings,
  ReactionEmoji,
  ReactionEvent,
  ReactionSummary,
  Ready,
  VoiceParticipant,
  VoiceStateEvent,
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
} from './errors/error-guards.js';
export type { AddressName, CallFacts, CallPhase } from './errors/client-errors.js';
