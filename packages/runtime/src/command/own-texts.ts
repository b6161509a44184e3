/** Number of texts that are remembered. */
const MAX_TEXTS = 200;

/** The latest 200 texts that the bot has sent. Adding a text costs less than with a Set, and most bots never search. */
export class OwnTexts {
  readonly #texts: string[] = [];
  #next = 0;

  add(text: string): void {
    this.#texts[this.#next] = text;
    this.#next = (this.#next + 1) % MAX_TEXTS;
  }

  /** Returns whether the bot has sent a text, without the white space around both. */
  has(text: string): boolean {
    return this.#texts.some((own) => own.trim() === text.trim());
  }
}
