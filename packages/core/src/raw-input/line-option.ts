/** The part of an option's definition that decides which words of a line the option takes. */
export interface LineOption {
  readonly name: string;
  /**
   * Part of the line that the option takes: one word; the rest, without one enclosing pair of quotes; the rest exactly
   * as typed; or, as a flag, only its own name.
   */
  readonly take: 'word' | 'rest' | 'raw' | 'flag';
  /** `true` if `--name` and `--no-name` need no value. */
  readonly negatable?: boolean | undefined;
}
