/** The part of an option's definition that decides which words of a line it takes. */
export interface LineOption {
  readonly name: string;
  /**
   * How much of the line the option takes: one word; the rest, without one enclosing pair of quotes;
   * the rest exactly as typed; or, as a flag, only its own name.
   */
  readonly take: 'word' | 'rest' | 'raw' | 'flag';
  /** Whether `--name` and `--no-name` need no value. */
  readonly negatable?: boolean | undefined;
}
