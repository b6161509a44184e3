import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type { Storable } from './json-text.js';
import type { Storage } from './storage.js';

declare const storage: Storage;
interface Song {
  readonly title: string;
}

describe('Storage', () => {
  it('takes values that JSON keeps, and refuses the others', () => {
    expectTypeOf<Song>().toExtend<Storable>();
    expectTypeOf<{ at: number; nested: { songs: Song[] } }>().toExtend<Storable>();
    expectTypeOf<Date>().not.toExtend<Storable>();
    expectTypeOf<Map<string, string>>().not.toExtend<Storable>();
    expectTypeOf<() => number>().not.toExtend<Storable>();
    expectTypeOf<bigint>().not.toExtend<Storable>();
    expectTypeOf<undefined>().not.toExtend<Storable>();
  });

  it('types an object under a key by its schema', () => {
    const settings = storage.entry('settings', z.object({ limit: z.int().default(1) }));
    expectTypeOf(settings.get).returns.resolves.toEqualTypeOf<{ limit: number }>();
    const view = storage.view(z.object({ limit: z.int().default(1) }));
    expectTypeOf(view).resolves.returns.toEqualTypeOf<{ limit: number }>();
    void settings.patch({});
    // @ts-expect-error -- not a field.
    void settings.patch({ limits: 1 });
  });
});
