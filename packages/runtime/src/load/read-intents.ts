import { INTENTS, type Intent } from '@virgule/core/protocol';
import type { SettingReport } from './setting-report.js';

/** Reads the `intents` of a definition. Reports each value that is none. */
export function readIntents(intents: unknown, report: SettingReport): readonly Intent[] {
  if (intents === undefined) return [];
  const given: readonly unknown[] = Array.isArray(intents) ? intents : [];
  const invalid = Array.isArray(intents) ? given.filter((intent) => !isIntent(intent)) : [intents];
  for (const saw of invalid)
    report.refuseUnlisted('intents', `a list of ${INTENTS.join(', ')}`, saw, INTENTS);
  return given.filter(isIntent);
}

const isIntent = (value: unknown): value is Intent => INTENTS.some((intent) => intent === value);
