import { quote } from '@virgule/core/raw-input';
import { formatDuration, type Command } from '@virgule/runtime/project';

type Spec = Pick<Command['spec']['options'][number], 'required' | 'expected' | 'item'>;

/** Values as typed, by kind, unless the text of the kind has an example. Other kinds need the id of an existing object. */
const SAMPLES: Readonly<Record<string, string>> = {
  boolean: 'yes',
  user: '@ada',
  mentionable: '@ada',
  channel: '#general',
  url: 'https://example.com',
  email: 'ada@example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  lowercase: 'sample',
  uppercase: 'SAMPLE',
};

/**
 * Returns a line that runs a command with a value for each required option; `undefined` if an option has no sample.
 *
 * @param attachment - URL of a file
 */
export function sampleLine(
  name: string,
  options: readonly Spec[],
  attachment: string,
): string | undefined {
  const samples = { ...SAMPLES, attachment };
  const values = options.filter(({ required }) => required).map((each) => sampleOf(each, samples));
  if (values.includes(undefined)) return undefined;
  return [`/${name}`, ...values].join(' ');
}

function sampleOf(
  { expected, item }: Pick<Spec, 'expected' | 'item'>,
  samples: typeof SAMPLES,
): string | undefined {
  const { kind, bounds, choices, text } = expected;
  if (choices?.[0] !== undefined) return /\s/.test(choices[0]) ? quote(choices[0]) : choices[0];
  switch (kind) {
    case 'integer':
    case 'number':
      return String(within(3, bounds));
    case 'duration':
      return formatDuration(within(60_000, bounds));
    case 'text':
      // Also valid as a duration.
      return '1m'.padEnd(bounds.minLength ?? 0, 'm').slice(0, bounds.maxLength);
    case 'list': {
      const value = item && sampleOf(item, samples);
      return value && Array.from({ length: bounds.minItems ?? 1 }, () => value).join(' ');
    }
    default:
      return samples[kind] ?? / like (\S+)$/.exec(text)?.[1];
  }
}

/** Returns the number within the bounds that is next to `wanted`. */
function within(wanted: number, bounds: Spec['expected']['bounds']): number {
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity, multipleOf } = bounds;
  const { minimum = exclusiveMinimum + 1, maximum = exclusiveMaximum - 1 } = bounds;
  const value = Math.min(Math.max(wanted, minimum), maximum);
  return multipleOf ? Math.ceil(value / multipleOf) * multipleOf : value;
}
