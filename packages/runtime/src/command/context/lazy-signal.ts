/** The member with the source of a signal. It is read on first use, since the signal may be created only then. */
const SOURCE = Symbol('source');

type Sourced = { [SOURCE]: { readonly signal: AbortSignal } };

/** One for all contexts: objects whose getters differ are slow to create and to read. */
const SIGNAL: PropertyDescriptor & ThisType<Sourced> = {
  get() {
    return this[SOURCE].signal;
  },
  enumerable: true,
  configurable: true,
};

/**
 * Adds `signal` to a context, read from `source` on first use. It is a member like any other: it can be
 * destructured, and a copy of the context has it.
 */
export function addSignal<Context extends object>(
  context: Context,
  source: Sourced[typeof SOURCE],
): Context & { readonly signal: AbortSignal } {
  // Defining this property as well would take longer than everything else that is created for an event.
  (context as Partial<Sourced>)[SOURCE] = source;
  Object.defineProperty(context, 'signal', SIGNAL);
  // It has the member now.
  return context as Context & { readonly signal: AbortSignal };
}
