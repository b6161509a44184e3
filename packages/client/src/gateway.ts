export { createGateway } from './gateway/socket-gateway.js';
export {
  probeGateway,
  type GatewayProbe,
  type ProbeGatewayOptions,
} from './gateway/probe-gateway.js';
export type { GatewayDeadlines, GatewayOptions, TokenState } from './gateway/gateway-options.js';
export type * from './gateway/port.js';
export type { IdentifyBudget } from './gateway/identify-limiter.js';
export type { GatewayBackfill, MessageHistory } from './gateway/backfill.js';
export type { DeliveryCounts } from './gateway/delivery.js';
export type { FrameCounts } from './gateway/frames.js';
export type * from './gateway/socket-port.js';
export type { ClientOptions } from './options/client-options.js';
export type { CreateConnection, ProxyOptions } from './request/proxy.js';
export type * from '@virgule/core/protocol';
export type { Clock, SleepOptions, Timer } from '@virgule/core/clock';
export type { StateFile } from '@virgule/core/fs';
export type { Log, LogLevel } from '@virgule/core/log';
export {
  isVirguleError,
  VirguleError,
  type ErrorKind,
  type SourceLocation,
  type VirguleErrorInit,
} from '@virgule/core/errors';
export * from './errors/error-guards.js';
export type { AddressName, CallFacts, CallPhase } from './errors/client-errors.js';
