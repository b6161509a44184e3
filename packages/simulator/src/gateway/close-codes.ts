/** Why the gateway closes a socket. The Bot Interface lists no close codes: all are assumed. */
export const CLOSE = {
  /** The simulator stops. */
  goingAway: 1001,
  /** A frame that is not JSON text of the stated form, or that only the server sends. */
  badFrame: 4002,
  /** Something else before IDENTIFY. */
  notIdentified: 4003,
  /** IDENTIFY with a token that is not the bot's. */
  badToken: 4004,
  /** IDENTIFY again on the same socket. */
  alreadyIdentified: 4005,
  /** Another socket with the same token took its place, or was there first. */
  replaced: 4009,
  /** No heartbeat for two intervals. */
  noHeartbeat: 4010,
} as const;
