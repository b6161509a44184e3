import type { SourceLocation, VirguleError } from '@virgule/core/errors';
import { INTENTS, type Intent } from '@virgule/core/protocol';
import { didYouMean } from '@virgule/core/text';
import { runtimeErrors } from '../errors/runtime-errors.js';

export interface ReadIntentsOptions {
  readonly file: string;
  readonly locate: (key: string) => SourceLocation;
  readonly report: (problem: VirguleError) => void;
}

/** Reads the `intents` of a definition. Reports each value that is none. */
export function readIntents(
  intents: unknown,
  { file, locate, report }: ReadIntentsOptions,
): readonly Intent[] {
  if (intents === undefined) return [];
  const given: readonly unknown[] = Array.isArray(intents) ? intents : [];
  const invalid = Array.isArray(intents) ? given.filter((intent) => !isIntent(intent)) : [intents];
  for (const saw of invalid) {
    const meant = typeof saw === 'string' ? didYouMean(saw, INTENTS) : undefined;
    const advice = meant === undefined ? undefined : `Did you mean '${meant}'?`;
    const want = `a list of ${INTENTS.join(', ')}`;
    report(
      runtimeErrors.E_SETTING(
        { file, key: 'intents', want, saw, advice },
        { location: locate('intents') },
      ),
    );
  }
  return given.filter(isIntent);
}

const isIntent = (value: unknown): value is Intent => INTENTS.some((intent) => intent === value);
