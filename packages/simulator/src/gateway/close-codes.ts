/** Close codes of the gateway. The Bot Interface specifies none: all are assumed. */
export const CLOSE = {
  /** The simulator closes. */
  goingAway: 1001,
  /** An invalid frame, or a frame that only the server sends. */
  badFrame: 4002,
  /** Another frame before IDENTIFY. */
  notIdentified: 4003,
  /** IDENTIFY with a token that belongs to no bot. */
  badToken: 4004,
  /** A second IDENTIFY on the same socket. */
  alreadyIdentified: 4005,
  /** Another socket with the same token replaced this socket, or was open first. */
  replaced: 4009,
  /** No heartbeat for two intervals. */
  noHeartbeat: 4010,
} as const;
