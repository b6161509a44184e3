/** The part of an option's definition that decides which words of a line the option takes. */
export interface LineOption {
  readonly name: string;
  /** Part of the line that the option takes: one word; the rest, without one enclosing pair of quotes; the rest exactly as typed. */
  readonly take: 'word' | 'rest' | 'raw';
  /** `true` if the option takes only a value after its name: a flag, or an option with `.meta({ named: true })`. */
  readonly named?: boolean | undefined;
  /** `true` if `--name` and `--no-name` need no value. */
  readonly negatable?: boolean | undefined;
  /** `false` if the option is skipped for a word that is not `expected`, provided that a later option takes the word. */
  readonly required?: boolean | undefined;
  /** Accepted words. @defaultValue any word */
  readonly expected?: ExpectedWord | undefined;
}

/** Words that an option accepts. */
export interface ExpectedWord {
  /** Kind of the value, such as `integer`, `duration` or `user`. */
  readonly kind: string;
  /** The only accepted words, in any case. */
  readonly choices?: readonly string[] | undefined;
}
