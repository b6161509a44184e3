import type * as OpenTelemetry from '@opentelemetry/api';
import type { Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { BotObserver } from '../bot/bot-observer.js';

export interface TraceOptions {
  readonly clock: Clock;
  /** Takes secrets out of what is recorded of errors. @defaultValue leaves it as it is */
  readonly redact?: ((text: string) => string) | undefined;
  /** Gives the API of OpenTelemetry. @defaultValue imports `@opentelemetry/api` */
  readonly importApi?: (() => Promise<typeof OpenTelemetry>) | undefined;
}

/** Where every copy of version 1 of the API keeps what was registered. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');

/**
 * An observer that makes one span of each command, with the handler's own spans below it. `undefined`
 * when `@opentelemetry/api` is not there or nobody has registered a provider: then nothing is traced and
 * nothing is paid for.
 */
export async function traceCommands(options: TraceOptions): Promise<BotObserver | undefined> {
  const { importApi = () => import('@opentelemetry/api') } = options;
  // Most bots go without: they do not even read the API.
  if (!(REGISTRY in globalThis)) return undefined;
  const api = await importApi().catch(() => undefined);
  return api && hasProvider(api) ? createTracing(api, options) : undefined;
}

/** A provider of another copy of the API is a provider too. */
function hasProvider({ trace, ProxyTracerProvider }: typeof OpenTelemetry): boolean {
  const provider = trace.getTracerProvider();
  return (
    !(provider instanceof ProxyTracerProvider) ||
    provider.getDelegate() !== new ProxyTracerProvider().getDelegate()
  );
}

function createTracing(
  api: typeof OpenTelemetry,
  { clock, redact = (text) => text }: TraceOptions,
): BotObserver {
  const { context, SpanKind, SpanStatusCode, trace } = api;
  const tracer = trace.getTracer('virgule');
  const open = new Map<string, OpenTelemetry.Span>();
  return {
    async around({ command, interactionId, receivedAtMs }, run) {
      const waitedMs = clock.monotonic() - receivedAtMs;
      const span = tracer.startSpan(`/${command}`, {
        kind: SpanKind.CONSUMER,
        // The time on the wall when its frame came in.
        startTime: clock.now() - waitedMs,
        attributes: {
          'virgule.command': command,
          'virgule.interaction_id': interactionId,
          'virgule.queue_ms': waitedMs,
        },
      });
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
      span.recordException(
        error instanceof Error ? exceptionOf(error, redact) : message,
        clock.now(),
      );
      span.setStatus({ code: SpanStatusCode.ERROR, message });
    },
  };
}

/** What a span records of an error. The code, where it has one, is the type of the exception. */
function exceptionOf(error: Error, redact: (text: string) => string): OpenTelemetry.Exception {
  const { name, message, stack = '' } = error;
  const code =
    'code' in error && typeof error.code === 'string' ? { code: redact(error.code) } : {};
  return { ...code, name: redact(name), message: redact(message), stack: redact(stack) };
}
