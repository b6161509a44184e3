export { createGateway, type Gateway } from './gateway/create-gateway.js';
export type { GatewayDeadlines, GatewayOptions, TokenState } from './gateway/gateway-options.js';
export type { GatewayEvent, GatewayListener, GatewayPort, GatewayStatus } from './gateway/port.js';
export type { FrameCounts } from './gateway/frame-counts.js';
export type {
  GatewaySocket,
  GatewaySocketConstructor,
  GatewaySocketOptions,
  RefusedUpgrade,
  SocketData,
} from './gateway/socket-port.js';
export { clientErrors } from './errors/client-errors.js';
export {
  isBadAddress,
  isShuttingDown,
  isUnauthorized,
  type ClientError,
  type ClientErrorCode,
  type ClientErrorDetails,
} from './errors/error-guards.js';
export type { BadAddressDetails, CallFacts, UnauthorizedDetails } from './errors/error-details.js';
