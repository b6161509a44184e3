/** Returns the parts of a window that tests replace. */
export const createBrowserPort = (window: Window) => ({
  setTimer: (callback: () => void, delayMs: number) => window.setTimeout(callback, delayMs),
  clearTimer: (timer: number) => window.clearTimeout(timer),
  /** Calls back before the next frame is drawn; never while the page is hidden. */
  nextFrame: (callback: () => void) => void window.requestAnimationFrame(callback),
  /** Returns a time in milliseconds. */
  elapsedMs: () => window.performance.now(),
  isVisible: () => window.document.visibilityState === 'visible',
  /** Returns whether the inspector fits next to the chat. */
  isRoomy: () => window.matchMedia('(min-width: 1080px)').matches,
});

export type BrowserPort = ReturnType<typeof createBrowserPort>;
