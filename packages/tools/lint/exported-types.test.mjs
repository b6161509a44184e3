import { join } from 'node:path';
import { expect, it } from 'vitest';
import { find, importedBy } from '../declarations.mjs';
import { root } from '../repository.mjs';

/** The entries that are used alone: their users cannot name what another package exports. */
const ENTRIES = ['client/src/rest.ts', 'client/src/gateway.ts'];

const isType = ({ head }) => /^export (interface|type|class)/.test(head);

it.each(ENTRIES)('%s exports every type that its types and functions name', (entry) => {
  const path = join(root, 'packages', entry);
  const names = importedBy(path);
  const missing = names.flatMap((exported) => {
    const { file, head } = find(path, exported);
    const used = new Set(head.match(/(?<![.\w$'"])[A-Z][\w$]*/g));
    return [...used]
      .map((name) => find(file, name))
      .filter((type) => type && isType(type) && !names.includes(type.name))
      .map((type) => `${type.name}, named by ${exported}`);
  });
  expect(missing).toEqual([]);
});
