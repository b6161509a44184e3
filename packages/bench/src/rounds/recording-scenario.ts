import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createBenchProject, NO_LOG } from './bench-project.js';
import { commandsOf, contender } from './bot-scenarios.js';
import { COMMAND_METRICS } from './measure.js';
import type { ScenarioPlan } from './scenario.js';

const CONFIG = `import { defineConfig, memory } from 'virgule';

const observer = Reflect.get(globalThis, 'benchObserver');

export default defineConfig({
  storage: memory(),
  failed: process.env.BENCH_RECORDS ? {} : undefined,
  observers: observer ? [observer] : [],
});
`;

/**
 * Registers a provider whose spans are exported to nowhere. With `BENCH_SPANS_BY_HAND`, an observer creates two spans for each
 * command in the shortest way instead: the price of OpenTelemetry itself.
 */
const SPANS = `import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

const manager = new AsyncLocalStorageContextManager().enable();
const exporter = { export: (spans, done) => done({ code: 0 }), shutdown: async () => {} };
const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });

if (process.env.BENCH_SPANS_BY_HAND) {
  const tracer = provider.getTracer('by hand');
  globalThis.benchObserver = {
    around({ name }, run) {
      const above = manager.active();
      const span = tracer.startSpan(name, {}, above);
      return manager.with(trace.setSpan(above, span), run).then(() => span.end());
    },
  };
} else {
  context.setGlobalContextManager(manager);
  trace.setGlobalTracerProvider(provider);
}
`;

/** The same built bot with and without records of failed work, and with spans. */
export const recording: ScenarioPlan = {
  id: 'recording',
  title: 'Records of failed work, and spans',
  prepare(settings) {
    const project = createBenchProject({
      files: { 'virgule.config.ts': CONFIG, 'spans.mjs': SPANS },
      packages: { '@opentelemetry': 'packages/runtime/node_modules/@opentelemetry' },
    });
    async function spans(env: Readonly<Record<string, string>> = {}) {
      const { program } = await project.built();
      const file = pathToFileURL(join(dirname(program), '../spans.mjs'));
      return { program, env: { ...NO_LOG, ...env, NODE_OPTIONS: `--import ${file.href}` } };
    }
    const measure = commandsOf(settings);
    return {
      about:
        'The bot of the first table without a log; with `failed: {}` in its configuration; with an OpenTelemetry provider, which gets two spans for each command; and with an observer that creates two empty spans by hand, the price of OpenTelemetry itself.',
      metrics: COMMAND_METRICS,
      ratios: ['perSecond', 'cpuMicros'],
      contenders: [
        contender('neither', () => project.built(NO_LOG), measure),
        contender('records', () => project.built({ ...NO_LOG, BENCH_RECORDS: '1' }), measure, {
          targets: { cpuMicros: 1.1 },
        }),
        contender('spans', () => spans(), measure, { aims: { cpuMicros: 1.1 } }),
        contender('spans by hand', () => spans({ BENCH_SPANS_BY_HAND: '1' }), measure),
      ],
      slices: settings.slices,
      close: () => project.remove(),
    };
  },
};
