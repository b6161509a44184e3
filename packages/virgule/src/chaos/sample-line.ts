import type { Command } from '@virgule/core/protocol';

/** A value of each type of option, as it is typed. Some need ids, and some cannot be typed. */
const SAMPLES: Readonly<Record<string, string>> = {
  // Valid as a duration too.
  string: '1m',
  integer: '3',
  number: '1.5',
  boolean: 'yes',
  user: '@ada',
  mentionable: '@ada',
  channel: '#general',
};

/**
 * Returns a line that runs a command with a value for each required option; `undefined` if one cannot be typed.
 *
 * @param attachment - the URL of a file
 */
export function sampleLine({ name, options }: Command, attachment: string): string | undefined {
  const samples: Readonly<Record<string, string>> = { ...SAMPLES, attachment };
  const values = options.filter(({ required }) => required).map(({ type }) => samples[type]);
  if (values.includes(undefined)) return undefined;
  return [`/${name}`, ...values].join(' ');
}
