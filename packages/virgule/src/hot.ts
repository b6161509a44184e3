/** `import.meta.hot` of a module of the bot in `virgule dev`. */
export interface Hot {
  /**
   * Registers a function that stops the effects of this module, such as a timer or a subscription. The function is
   * called when a new version of the module has replaced this one, or when no module imports it any more.
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
    /** Set in `virgule dev` only: `undefined` in production, in tests and in other commands. */
    readonly hot?: Hot;
  }
}
