/** The source of a signal. It is read on first use, since it may be created only then. */
interface SignalSource {
  readonly signal: AbortSignal;
}

const SOURCE = Symbol('source');

interface WithSource {
  readonly [SOURCE]: SignalSource;
}

/** One for all contexts: objects whose getters differ are slow to create and to read. */
const SIGNAL: PropertyDescriptor & ThisType<WithSource> = {
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
  source: SignalSource,
): Context & { readonly signal: AbortSignal } {
  // Defining this property as well would take longer than everything else that is created for an event.
  (context as { [SOURCE]?: SignalSource })[SOURCE] = source;
  Object.defineProperty(context, 'signal', SIGNAL);
  // It has the member now.
  return context as Context & { readonly signal: AbortSignal };
}
