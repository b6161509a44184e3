import { readFileSync } from 'node:fs';
import { barChart } from './bar-chart.js';

interface Row {
  readonly name: string;
  readonly values: Readonly<Record<string, number>>;
  readonly ratios: Readonly<Record<string, { readonly median: number }>>;
}

declare const data: Readonly<Record<'commands' | 'cpu' | 'start' | 'workers', string>>;
export { data };

/** Charts of the figures that `npm run -s bench -- --json` has written to `figures.json`. */
export default {
  watch: ['./figures.json'],
  load(): Readonly<Record<string, string>> {
    const { results } = JSON.parse(
      readFileSync(new URL('figures.json', import.meta.url), 'utf8'),
    ) as { results: readonly { readonly title: string; readonly comparisons: readonly Row[] }[] };

    const rowsOf = (title: RegExp): readonly Row[] =>
      results.find((result) => title.test(result.title))?.comparisons ?? [];
    const isOwn = (name: string): boolean => !/by hand|discord\.js/.test(name);
    const ofValues = (rows: readonly Row[], metric: string, unit: string) =>
      rows.map(({ name, values }) => {
        const value = values[metric] ?? 0;
        const text = `${Math.round(value).toLocaleString('en-US')}${unit}`;
        return { label: name, value, text, isOwn: isOwn(name) };
      });
    const cpu = [...rowsOf(/^Commands, 64 at a time$/), ...rowsOf(/discord\.js .*: commands/)].map(
      ({ name, ratios }) => {
        const value = ratios['cpuMicros']?.median ?? 1;
        return { label: name, value, text: value.toFixed(2), isOwn: isOwn(name) };
      },
    );

    const commands = rowsOf(/^Commands, 64 at a time$/);
    return {
      commands: barChart(
        'Commands per second, 64 at a time (more is better)',
        ofValues(commands, 'perSecond', ''),
      ),
      cpu: barChart(
        'CPU per command, relative to a hand-written bot for the same platform (less is better)',
        cpu,
      ),
      start: barChart(
        'Memory one second after the start of a built bot (less is better)',
        ofValues(rowsOf(/^Startup of a built bot/), 'rssMiB', ' MiB'),
      ),
      workers: barChart(
        'Commands per second on one machine with two cores, including Redis and its disk',
        ofValues(rowsOf(/^Workers over Redis/), 'perSecond', ''),
      ),
    };
  },
};
