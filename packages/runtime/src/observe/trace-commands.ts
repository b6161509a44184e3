import type * as OpenTelemetry from '@opentelemetry/api';
import type { Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { BotObserver, CommandStart } from '../command/observer.js';

interface TraceOptions {
  readonly clock: Clock;
  readonly redact?: ((text: string) => string) | undefined;
  readonly importApi?: (() => Promise<typeof OpenTelemetry>) | undefined;
}

/** Key under which every copy of version 1 of the API keeps its registered providers. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');

/** Returns an observer with one span for each command, the parent of its handler's spans; `undefined` without a provider. */
export async function traceCommands({
  clock,
  redact = (text) => text,
  importApi = () => import('@opentelemetry/api'),
}: TraceOptions): Promise<BotObserver | undefined> {
  if (!(REGISTRY in globalThis)) return undefined;
  const api = await importApi().catch(() => undefined);
  if (!api || !hasProvider(api)) return undefined;
  const { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const tracer = trace.getTracer('virgule');
  const open = new Map<string, OpenTelemetry.Span>();

  function startSpan(
    { command, interactionId, receivedAtMs }: CommandStart,
    kind: OpenTelemetry.SpanKind,
    parent: OpenTelemetry.Context,
  ): OpenTelemetry.Span {
    const waitedMs = clock.monotonic() - receivedAtMs;
    const options = {
      kind,
      // Wall-clock time at which the frame was received.
      startTime: clock.now() - waitedMs,
      attributes: {
        'virgule.command': command,
        'virgule.interaction_id': interactionId,
        'virgule.queue_ms': waitedMs,
      },
    };
    return tracer.startSpan(`/${command}`, options, parent);
  }

  return {
    passing(start) {
      const span = startSpan(start, SpanKind.PRODUCER, ROOT_CONTEXT);
      const headers = {};
      propagation.inject(trace.setSpan(ROOT_CONTEXT, span), headers);
      span.end(clock.now());
      return headers;
    },
    async around(start, run) {
      const { interactionId } = start;
      const parent = propagation.extract(context.active(), start.trace ?? {});
      const span = startSpan(start, SpanKind.CONSUMER, parent);
      open.set(interactionId, span);
      try {
        await context.with(trace.setSpan(context.active(), span), run);
      } finally {
        open.delete(interactionId);
        span.end(clock.now());
      }
    },
    ended({ interactionId, outcome, result, error }) {
      const span = open.get(interactionId);
      span?.setAttributes({ 'virgule.outcome': outcome, 'virgule.result': result });
      if (!span || error === undefined) return;
      const message = redact(errorText(error));
      const exception = error instanceof Error ? exceptionOf(error, redact) : message;
      span.recordException(exception, clock.now());
      span.setStatus({ code: SpanStatusCode.ERROR, message });
    },
  };
}

/** Returns whether a provider is registered, also by another copy of the API. */
function hasProvider({ trace, ProxyTracerProvider }: typeof OpenTelemetry): boolean {
  const provider = trace.getTracerProvider();
  return (
    !(provider instanceof ProxyTracerProvider) ||
    provider.getDelegate() !== new ProxyTracerProvider().getDelegate()
  );
}

/** Converts an error to the exception that a span records. The code of the error, if any, is the type of the exception. */
function exceptionOf(error: Error, redact: (text: string) => string): OpenTelemetry.Exception {
  const { name, message, stack = '' } = error;
  const code =
    'code' in error && typeof error.code === 'string' ? { code: redact(error.code) } : {};
  return { ...code, name: redact(name), message: redact(message), stack: redact(stack) };
}
