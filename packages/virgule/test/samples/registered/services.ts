import { defineServices } from 'virgule';
import { expectTypeOf } from 'vitest';

interface Song {
  readonly title: string;
}

const services = defineServices(async ({ env, log }) => {
  // The configuration's types reach the services.
  expectTypeOf(env.DATABASE_URL).toEqualTypeOf<string>();
  expectTypeOf(env.PORT).toEqualTypeOf<number>();
  log.info({}, 'Connected.');
  return {
    songs: { find: async (title: string): Promise<Song> => ({ title }) },
    started: new Date(0),
  };
});
export default services;

declare module 'virgule' {
  interface Register {
    services: typeof services;
  }
}
