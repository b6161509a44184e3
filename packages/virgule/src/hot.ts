/** `import.meta.hot` of a module of the bot in `virgule dev`. */
export interface Hot {
  /**
   * Registers a function that stops what this module started, such as a timer or a subscription. It is called when
   * another version of the module has replaced this one, or when nothing imports it any more.
   *
   * @example
   * ```ts
   * const timer = setInterval(refresh, 60_000);
   * import.meta.hot?.dispose(() => clearInterval(timer));
   * ```
   */
  dispose(callback: () => unknown): void;
}

declare global {
  interface ImportMeta {
    /** Only in `virgule dev`: `undefined` in production, in tests and in other commands. */
    readonly hot?: Hot;
  }
}
