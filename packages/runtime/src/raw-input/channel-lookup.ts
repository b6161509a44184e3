import type { OptionSpec } from '../options/option-spec.js';

/** The result of looking for a channel by its name. */
type ChannelFinding =
  | { readonly found: true; readonly id: string }
  /** `reason` is for the user who typed the name. */
  | { readonly found: false; readonly reason: string };

/** Looks for a channel by its name, without the `#`. Never rejects. */
export type ChannelLookup = (name: string) => Promise<ChannelFinding>;

/** A name that was typed for a channel option. */
export interface TypedChannelName {
  readonly key: string;
  readonly option: string;
  /** As typed, with the `#`. */
  readonly typed: string;
}

/** Returns the channel options of a line with a name, `#general`, instead of a mention or an id. */
export function channelNamesIn(
  options: readonly OptionSpec[],
  texts: ReadonlyMap<string, string>,
): TypedChannelName[] {
  return options.flatMap(({ key, name, type }) => {
    const typed = texts.get(key);
    return type === 'channel' && typed !== undefined && /^#./.test(typed)
      ? [{ key, option: name, typed }]
      : [];
  });
}

/** Returns the mention of a channel. */
export const channelMention = (id: string): string => `<#${id}>`;
