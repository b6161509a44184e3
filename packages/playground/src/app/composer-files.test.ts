import { describe, expect, it } from 'vitest';
import { createComposerFiles, uniqueFileName } from './composer-files.js';

describe('uniqueFileName', () => {
  it.each([
    ['image.png', [], 'image.png'],
    ['image.png', ['image.png'], 'image-2.png'],
    ['image.png', ['image.png', 'image-2.png'], 'image-3.png'],
    ['a.tar.gz', ['a.tar.gz'], 'a.tar-2.gz'],
    ['.env', ['.env'], '.env-2'],
    ['LICENSE', ['LICENSE'], 'LICENSE-2'],
  ])('names %s next to %j', (name, names, expected) => {
    expect(uniqueFileName(name, names)).toBe(expected);
  });
});

const LIMITS = { attachmentsMax: 2, uploadMaxBytes: 2_048 };

function start() {
  const files = createComposerFiles(() => LIMITS);
  return { files, names: () => files.list.value.map(({ name }) => name) };
}

const file = (name: string, size = 1) => new File(['x'.repeat(size)], name);

describe('createComposerFiles', () => {
  it('assigns different names to files of the same name', () => {
    const { files, names } = start();
    files.add([file('image.png'), file('image.png')]);
    expect(names()).toEqual(['image.png', 'image-2.png']);
  });

  it('says which files are too large or too many, and adds the others', () => {
    const { files, names } = start();
    files.add([file('big.zip', 3_000), file('a'), file('b'), file('c'), file('d')]);
    expect(names()).toEqual(['a', 'b']);
    expect(files.refusal.value).toBe(
      'Not added: big.zip, c and d. A message can have 2 files of at most 2.0 KB.',
    );
    files.remove(files.list.value.slice(0, 1));
    expect(files.refusal.value).toBeNull();
    files.add([file('c')]);
    expect(names()).toEqual(['b', 'c']);
  });
});
