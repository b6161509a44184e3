import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { EVENTS } from './gateway.js';

const page = readFileSync(new URL('../../../../docs/reference/events.md', import.meta.url), 'utf8');

/** Returns the section of the page about an event. */
const partOf = (name: string): string =>
  page.split(/^## /m).find((part) => part.split('\n', 1)[0]?.split(', ').includes(name)) ?? '';

it.each(Object.entries(EVENTS))(
  'the reference has the fields of %s, and its intent',
  (name, { payload, intent }) => {
    const part = partOf(name);
    const { properties } = z.toJSONSchema(payload, { unrepresentable: 'any' });
    const fields = [...part.matchAll(/^\| `(\w+)`/gm)].map(([, field]) => field);
    expect(new Set(fields)).toEqual(new Set(Object.keys(properties ?? {})));
    expect(part).toContain(`\`${intent}\``);
  },
);
