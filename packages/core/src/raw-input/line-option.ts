/** The part of an option's definition that decides which words of a line it takes. */
export interface LineOption {
  readonly name: string;
  /**
   * How much of the line the option takes: one word; the rest, without one enclosing pair of quotes;
   * or the rest exactly as typed.
   */
  readonly take: 'word' | 'rest' | 'raw';
  /** Whether `--name` and `--no-name` need no value. */
  readonly negatable?: boolean | undefined;
}
