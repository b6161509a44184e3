/** The result of looking for a channel by its name. */
type ChannelFinding =
  | { readonly found: true; readonly id: string }
  /** `reason` is for the user who typed the name. */
  | { readonly found: false; readonly reason: string };

/** Looks for a channel by its name, without the `#`. Never rejects. */
export type ChannelLookup = (name: string) => Promise<ChannelFinding>;
