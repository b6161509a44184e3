import type { Log } from '@virgule/core/log';
import {
  applicationCommandEventSchema,
  type ApplicationCommandEvent,
} from '@virgule/core/protocol';
import { isPlainCommand } from './plain-payload.js';

/** Reads the payload of APPLICATION_COMMAND; `undefined`, and told, when it cannot be answered. */
export function readCommandEvent(d: unknown, log: Log): ApplicationCommandEvent | undefined {
  if (isPlainCommand(d)) return d;
  const parsed = applicationCommandEventSchema.safeParse(d);
  if (parsed.success) return parsed.data;
  log.warn(
    { issues: parsed.error.issues },
    'A command came without what is needed to answer it: dropped.',
  );
  return undefined;
}
