import type { GatewayEvent } from '@virgule/client/gateway';

/** The id of a command's interaction; nothing for other events. The payload is checked by whoever handles it. */
export function interactionOf({ t, d }: GatewayEvent): string | undefined {
  const payload = t === 'APPLICATION_COMMAND' ? (d as { interactionId?: unknown } | null) : null;
  return typeof payload?.interactionId === 'string' ? payload.interactionId : undefined;
}
