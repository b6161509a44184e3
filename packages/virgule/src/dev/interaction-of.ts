import type { GatewayEvent } from '@virgule/client/gateway';

/** Returns the interaction id of a command, and `undefined` for other events. The handler checks the payload. */
export function interactionOf({ t, d }: GatewayEvent): string | undefined {
  const payload = t === 'APPLICATION_COMMAND' ? (d as { interactionId?: unknown } | null) : null;
  return typeof payload?.interactionId === 'string' ? payload.interactionId : undefined;
}
