import { silentLog } from '@virgule/core/log';
import { expect, it } from 'vitest';
import { refused } from '../../test/client-failures.js';
import { createFakeRest } from '../../test/fake-rest.js';
import { createServerLookup } from './server-lookup.js';

it.each([
  [403, 3],
  [503, 9],
])('searches a channel of a server that answers %i with %i calls', async (status, calls) => {
  const fake = createFakeRest();
  fake.always('servers.list', [{ id: 'a' }, { id: 'b' }]);
  fake.always('servers.channels', (id: string) => {
    if (id === 'b') throw refused(status);
    return [{ id: 'general' }];
  });
  const serverOf = createServerLookup({ rest: fake.rest, log: silentLog });
  for (let count = 0; count < 3; count += 1) expect(await serverOf('hidden')).toBe('');
  expect(await serverOf('general')).toBe('a');
  expect(fake.calls).toHaveLength(calls);
});
