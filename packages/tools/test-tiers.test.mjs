import { existsSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFiles, root } from './repository.mjs';
import { tiers } from './test-tiers.mjs';

const files = repositoryFiles('packages').filter((file) => /\.test\.(mjs|tsx?)$/.test(file));

const tiersOf = (file) =>
  Object.keys(tiers).filter((name) => {
    const { include, exclude = [] } = tiers[name];
    const matches = (patterns) => patterns.some((pattern) => matchesGlob(file, pattern));
    return matches(include) && !matches(exclude);
  });

describe('the tiers of tests', () => {
  it('contain each file of tests once', () => {
    const wrong = files
      .filter((file) => !file.includes('/test/samples/'))
      .map((file) => ({ file, tiers: tiersOf(file) }))
      .filter(({ tiers }) => tiers.length !== 1);
    expect(wrong).toEqual([]);
  });

  it('name files that exist', () => {
    const named = Object.values(tiers)
      .flatMap(({ include }) => include)
      .filter((pattern) => !/[*{]/.test(pattern));
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
