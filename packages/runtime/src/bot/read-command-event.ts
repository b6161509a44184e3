import type { Log } from '@virgule/core/log';
import {
  applicationCommandEventSchema,
  type ApplicationCommandEvent,
} from '@virgule/core/protocol';
import { isPlainCommand } from './plain-payload.js';

/** Reads the payload of APPLICATION_COMMAND. Logs one that cannot be answered, and returns `undefined`. */
export function readCommandEvent(d: unknown, log: Log): ApplicationCommandEvent | undefined {
  if (isPlainCommand(d)) return d;
  const parsed = applicationCommandEventSchema.safeParse(d);
  if (parsed.success) return parsed.data;
  log.warn(
    { issues: parsed.error.issues },
    'dropped a command: its payload lacks what is needed to answer it',
  );
  return undefined;
}
