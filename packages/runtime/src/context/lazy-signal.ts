/** Where a signal comes from. It is read when something needs it, since it may be made only then. */
interface SignalSource {
  readonly signal: AbortSignal;
}

const SOURCE = Symbol('source');

interface WithSource {
  readonly [SOURCE]: SignalSource;
}

/** One for all contexts: objects whose getters differ are slow to make, and slow to read ever after. */
const SIGNAL: PropertyDescriptor & ThisType<WithSource> = {
  get() {
    return this[SOURCE].signal;
  },
  enumerable: true,
  configurable: true,
};

/**
 * Adds `signal` to a context, taken from `source` when somebody asks for it. It is a member as any
 * other: it can be taken out, and a copy of the context has it.
 */
export function addSignal<Context extends object>(
  context: Context,
  source: SignalSource,
): Context & { readonly signal: AbortSignal } {
  Object.defineProperty(context, SOURCE, { value: source });
  Object.defineProperty(context, 'signal', SIGNAL);
  // It has the member now.
  return context as Context & { readonly signal: AbortSignal };
}
