import type * as OpenTelemetry from '@opentelemetry/api';
import type { Clock } from '@virgule/core/clock';
import { errorText, redactError } from '@virgule/core/errors';
import type { BotObserver, Work } from '../command/observer.js';

/** Key under which every copy of version 1 of the API keeps its registered providers, that of traces as `trace`. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');

/** Returns an observer with a span for all work but uses of the storage, the parent of its handler's spans; `undefined` without a provider. */
export async function traceWork(
  clock: Clock,
  redact: (text: string) => string,
  importApi = () => import('@opentelemetry/api'),
): Promise<BotObserver | undefined> {
  if (!('trace' in Object(Reflect.get(globalThis, REGISTRY)))) return undefined;
  const api = await importApi().catch(() => undefined);
  if (!api) return undefined;
  const { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const kinds: Partial<Record<Work['kind'], OpenTelemetry.SpanKind>> = {
    call: SpanKind.INTERNAL,
    rest: SpanKind.CLIENT,
  };
  const tracer = trace.getTracer('virgule');

  function startSpan(
    { kind: work, name, id, caller, startMs }: Work,
    kind: OpenTelemetry.SpanKind,
    parent: OpenTelemetry.Context,
  ): OpenTelemetry.Span {
    const waitedMs = clock.monotonic() - startMs;
    const options = {
      kind,
      // Wall-clock time at which the frame was received.
      startTime: clock.now() - waitedMs,
      attributes: {
        [`virgule.${work}`]: name,
        [work === 'task' ? 'virgule.run_id' : 'virgule.interaction_id']: id,
        'virgule.caller': caller,
        'virgule.queue_ms': waitedMs,
      },
    };
    const isTyped = work === 'command' || work === 'call';
    return tracer.startSpan(isTyped ? `/${name}` : name, options, parent);
  }

  return {
    passing(work) {
      const span = startSpan(work, SpanKind.PRODUCER, ROOT_CONTEXT);
      const headers = {};
      propagation.inject(trace.setSpan(ROOT_CONTEXT, span), headers);
      span.end(clock.now());
      return headers;
    },
    async around(work, run) {
      // A run of a task begins in the context of any earlier work.
      const above = work.kind === 'task' ? ROOT_CONTEXT : context.active();
      const parent = propagation.extract(above, work.trace ?? {});
      const span = startSpan(work, kinds[work.kind] ?? SpanKind.CONSUMER, parent);
      try {
        await context.with(trace.setSpan(above, span), run);
      } finally {
        const { outcome, result, error } = work;
        span.setAttributes({ 'virgule.outcome': outcome, 'virgule.result': result });
        if (error !== undefined) {
          const shown = redactError(error instanceof Error ? error : errorText(error), redact);
          span.recordException(shown as Error | string, clock.now());
          span.setStatus({ code: SpanStatusCode.ERROR, message: errorText(shown) });
        }
        span.end(clock.now());
      }
    },
  };
}
