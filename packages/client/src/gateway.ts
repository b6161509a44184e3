export { createGateway } from './gateway/socket-gateway.js';
export * from './options/shared-exports.js';
export {
  probeGateway,
  type GatewayProbe,
  type ProbeGatewayOptions,
} from './gateway/probe-gateway.js';
export type { GatewayOptions, TokenState } from './gateway/gateway-options.js';
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
export type { IdentifyTimes } from './gateway/identify-limiter.js';
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
export type { CreateConnection } from './request/proxy.js';
export type {
  ApplicationCommandEvent,
  EventName,
  EventPayloads,
  Fields,
  FieldsOf,
  Intent,
  MessageDeleteEvent,
  MessageEvent,
  ReactionEvent,
  Ready,
  VoiceStateEvent,
} from '@virgule/core/protocol';
