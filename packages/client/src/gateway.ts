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
  GatewayPort,
  GatewayStatus,
  KnownEvent,
  KnownEventListener,
  QueuedDelivery,
} from './gateway/port.js';
export type { IdentifyBudget } from './gateway/identify-limiter.js';
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
export type { ProxyOptions } from './request/proxy.js';
export type {
  ApplicationCommandEvent,
  EventName,
  EventPayloads,
  Intent,
  Message,
  MessageAttachment,
  MessageDeleteEvent,
  MessageEvent,
  MessagePage,
  Profile,
  ReactionEmoji,
  ReactionEvent,
  Ready,
  VoiceParticipant,
  VoiceStateEvent,
} from '@virgule/core/protocol';
export type { Clock, SleepOptions, Timer } from '@virgule/core/clock';
export type { Log } from '@virgule/core/log';
export { isVirguleError, VirguleError } from '@virgule/core/errors';
export {
  isAborted,
  isBadAddress,
  isInvalidCall,
  isShuttingDown,
  isUnauthorized,
  type ClientError,
  type ClientErrorCode,
  type ClientErrorDetails,
} from './errors/error-guards.js';
export {
  clientErrors,
  type BadAddressDetails,
  type CallFacts,
  type CallPhase,
  type InterruptedDetails,
  type InvalidCallDetails,
  type UnauthorizedDetails,
} from './errors/client-errors.js';
