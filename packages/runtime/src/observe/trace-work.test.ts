import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { createFakeClock } from '@virgule/core/clock';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startCommand } from '../../test/test-bot.js';
import type { Work } from '../command/observer.js';
import { traceWork } from './trace-work.js';

/** Registers a provider, as a bot's own code does before it starts, and returns the spans that end. */
function register() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  api.trace.setGlobalTracerProvider(provider);
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return exporter;
}

afterEach(() => {
  api.trace.disable();
  api.propagation.disable();
  api.context.disable();
});

const milliseconds = ([seconds, nanos]: api.HrTime): number => seconds * 1_000 + nanos / 1e6;

async function startTraced(
  run: Parameters<typeof startCommand>[0]['run'],
  redact: (text: string) => string = String,
) {
  const clock = createFakeClock();
  const tracing = await traceWork(clock, redact);
  if (!tracing) throw new Error('nothing is traced');
  return { clock, bot: await startCommand({ run }, { observers: [tracing] }) };
}

describe('traceWork', () => {
  it('makes one span of each command, from the receipt to the end', async () => {
    const exporter = register();
    const { bot } = await startTraced(() => 'ok');
    const id = bot.type('/x', { agoMs: 40 });
    await bot.bot.idle();
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ name }) => name)).toEqual(['/x']);
    expect(spans[0]).toMatchObject({
      kind: api.SpanKind.CONSUMER,
      attributes: {
        'virgule.command': 'x',
        'virgule.interaction_id': id,
        'virgule.outcome': 'answered',
        'virgule.result': 'ok',
        'virgule.queue_ms': 40,
      },
      status: { code: api.SpanStatusCode.UNSET },
    });
    const [span] = spans;
    expect(span && milliseconds(span.endTime) - milliseconds(span.startTime)).toBe(40);
  });

  it('continues the trace of the process that received the command', async () => {
    const exporter = register();
    api.propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    const clock = createFakeClock();
    const tracing = await traceWork(clock, String);
    const work: Work = { kind: 'command', name: 'x', id: 'i', startMs: clock.monotonic() };
    const trace = tracing?.passing?.(work);
    expect(trace).toEqual({ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-/) });
    await tracing?.around?.({ ...work, trace }, async () => {});
    const [gateway, worker] = exporter.getFinishedSpans();
    expect([gateway?.kind, worker?.kind]).toEqual([api.SpanKind.PRODUCER, api.SpanKind.CONSUMER]);
    expect(worker?.parentSpanContext).toMatchObject({
      traceId: gateway?.spanContext().traceId,
      spanId: gateway?.spanContext().spanId,
      isRemote: true,
    });
  });

  it('puts the spans of a handler below it, also after it waited', async () => {
    const exporter = register();
    const { bot } = await startTraced(async () => {
      await Promise.resolve();
      api.trace.getTracer('mine').startSpan('look up').end();
      return 'ok';
    });
    await bot.run('/x');
    const [inner, outer] = exporter.getFinishedSpans();
    expect([inner?.name, outer?.name]).toEqual(['look up', '/x']);
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  });

  it('keeps commands that run at the same time apart', async () => {
    const exporter = register();
    const { bot } = await startTraced(() => 'ok');
    bot.type('/x');
    bot.type('/x');
    await bot.bot.idle();
    const spans = exporter.getFinishedSpans();
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(2);
  });

  it('marks a command that failed, with what went wrong', async () => {
    const exporter = register();
    const { bot } = await startTraced(() => {
      throw new Error('no dice');
    });
    await bot.run('/x');
    expect(exporter.getFinishedSpans()[0]).toMatchObject({
      status: { code: api.SpanStatusCode.ERROR, message: 'no dice' },
      events: [{ name: 'exception', attributes: { 'exception.message': 'no dice' } }],
    });
  });

  it.each<[what: string, type: string | undefined, thrown: unknown]>([
    ['an error', 'TypeError', new TypeError('hunter22', { cause: new Error('hunter22') })],
    ['one with a code', 'E_X', Object.assign(new Error('hunter22'), { code: 'E_X' })],
    ['a string', undefined, 'hunter22'],
  ])('records no secret of %s', async (_, type, thrown) => {
    const exporter = register();
    const { bot } = await startTraced(
      () => Promise.reject(thrown),
      (text) => text.replaceAll('hunter22', '[redacted]'),
    );
    await bot.run('/x');
    const spans = exporter.getFinishedSpans();
    expect(spans).toMatchObject([{ name: '/x', status: { message: '[redacted]' } }]);
    const [span] = spans;
    expect(span?.events).toMatchObject([
      { name: 'exception', attributes: { 'exception.message': '[redacted]' } },
    ]);
    expect(span?.events[0]?.attributes?.['exception.type']).toBe(type);
    expect(JSON.stringify([span?.status, span?.events, span?.attributes])).not.toContain(
      'hunter22',
    );
  });

  it('costs nothing without a registered provider', async () => {
    const importApi = vi.fn<() => Promise<typeof api>>(async () => api);
    const clock = createFakeClock();
    expect(await traceWork(clock, String, importApi)).toBeUndefined();
    // A provider that was registered and removed is no provider.
    register();
    api.trace.disable();
    expect(await traceWork(clock, String, importApi)).toBeUndefined();
  });

  it('does not even read the API when no copy of it was loaded in this process', async () => {
    const importApi = vi.fn<() => Promise<typeof api>>(async () => api);
    const key = Symbol.for('opentelemetry.js.api.1');
    const registry: unknown = Reflect.get(globalThis, key);
    Reflect.deleteProperty(globalThis, key);
    try {
      expect(await traceWork(createFakeClock(), String, importApi)).toBeUndefined();
    } finally {
      if (registry !== undefined) Reflect.set(globalThis, key, registry);
    }
    expect(importApi).not.toHaveBeenCalled();
  });

  it('costs nothing when the API is not installed', async () => {
    register();
    const importApi = () => Promise.reject(new Error('Cannot find package'));
    expect(await traceWork(createFakeClock(), String, importApi)).toBeUndefined();
  });
});
