import { showOnOneLine } from '@virgule/core/text';
import { createColors } from '../../terminal/colors.js';
import { countRoutes } from '../../terminal/count-routes.js';
import { cutTo, widthOf, wrapParts } from '../../terminal/fit-line.js';
import { keysOn } from './listen-for-keys.js';
import type { DevReport } from './dev-report.js';

export interface DevBannerOptions {
  readonly color: boolean;
  readonly version: string;
  /** How wide the terminal is; without one, nothing is wrapped. */
  readonly columns: number | undefined;
  /** Whether keys are listened to. */
  readonly keys: boolean;
  /** Whether it ends right after its start, so that no page and no key is of use. */
  readonly once?: boolean | undefined;
}

/** The facts about the start. */
export type BannerFacts = Extract<DevReport, { readonly type: 'ready' }>;

export function devBanner(facts: BannerFacts, options: DevBannerOptions): string {
  const { page, baseUrl, live, bot, ms, restored } = facts;
  const { color, version, columns = Number.POSITIVE_INFINITY, keys, once = false } = options;
  const { bold, cyan, dim, green, inverse } = createColors(color);

  const address = showOnOneLine(live ? baseUrl : (page ?? baseUrl));
  const rows: [name: string, value: string, note: string][] = [
    live
      ? ['Platform', cyan(address), 'nothing is registered automatically']
      : ['Playground', cyan(address), 'a simulator; no account needed'],
    ['Bot', `${showOnOneLine(bot)}, ${countRoutes(facts)}`, ''],
  ];
  if (restored !== undefined && restored > 0)
    rows.push(['Chat', 'continued from the last run', '--fresh starts empty']);

  if (once && !live) rows.shift();
  const hint = once
    ? []
    : keys
      ? keysOn(live).map(({ key, action }) => `${key} ${action}`)
      : ['Save a file to reload it.', 'Ctrl+C stops.'];
  return [
    '',
    `  ${bold(green('virgule'))} ${version}  ${live ? `${inverse(' LIVE ')}  ` : ''}${dim(`${once ? 'checked' : 'ready'} in ${ms} ms`)}`,
    '',
    ...rows.map(([name, value, note]) => {
      const head = `  ${green('➜')}  ${name.padEnd(10)}  `;
      const full = head + value + (note && `  ${dim(note)}`);
      if (widthOf(full, columns) <= columns) return full;
      // An address is worth more whole than short.
      return head + (value.includes('://') ? value : cutTo(value, columns - widthOf(head)));
    }),
    '',
    ...wrapParts(hint, '  ', columns).map(dim),
    ...(once ? [''] : ['', '']),
  ].join('\n');
}
