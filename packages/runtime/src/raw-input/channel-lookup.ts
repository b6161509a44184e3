import type { OptionSpec } from '../options/option-spec.js';

/** What came of looking for a channel by its name. */
type ChannelFinding =
  | { readonly found: true; readonly id: string }
  /** `reason` is for the person who typed the name. */
  | { readonly found: false; readonly reason: string };

/** Looks for a channel by its name, without the `#`. Never rejects. */
export type ChannelLookup = (name: string) => Promise<ChannelFinding>;

/** A name that was typed where a channel is due. */
export interface TypedChannelName {
  readonly option: string;
  /** As typed, with the `#`. */
  readonly typed: string;
}

/** The channel options of a line that hold a name, `#general`, in place of a mention or an id. */
export function channelNamesIn(
  options: readonly OptionSpec[],
  texts: ReadonlyMap<string, string>,
): TypedChannelName[] {
  return options.flatMap(({ name, type }) => {
    const typed = texts.get(name);
    return type === 'channel' && typed !== undefined && /^#./.test(typed)
      ? [{ option: name, typed }]
      : [];
  });
}

/** How a channel is written once its id is known. */
export const channelMention = (id: string): string => `<#${id}>`;
