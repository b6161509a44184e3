import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type { CommandContext } from './context/command-context.js';
import type { EventContext } from '../events/event-context.js';
import { defineConfig, type Config } from '../config/define-config.js';
import { defineServices, type ServicesContext } from '../services/define-services.js';
import type {
  EnvValues,
  Locals,
  Register,
  Services,
  UnregisteredEnv,
  UnregisteredServices,
} from './register.js';

// Nothing is registered here; what a bot registers is tested in a program of its own.
describe('Register and Locals, while they are empty', () => {
  it('leave services and env without members, in types whose names say why', () => {
    expectTypeOf<keyof Register>().toEqualTypeOf<never>();
    expectTypeOf<Services>().toEqualTypeOf<UnregisteredServices>();
    expectTypeOf<EnvValues>().toEqualTypeOf<UnregisteredEnv>();
    expectTypeOf<Services>().not.toHaveProperty('db');
    expectTypeOf<EnvValues>().not.toHaveProperty('ADMIN_CHANNEL');
    expectTypeOf<CommandContext['services']>().toEqualTypeOf<Services>();
    expectTypeOf<CommandContext['env']>().toEqualTypeOf<EnvValues>();
    expectTypeOf<EventContext<unknown>['services']>().toEqualTypeOf<Services>();
    expectTypeOf<EventContext<unknown>['env']>().toEqualTypeOf<EnvValues>();
  });

  it('have no undeclared locals', () => {
    expectTypeOf<CommandContext['locals']>().toEqualTypeOf<Locals>();
    expectTypeOf<Locals>().not.toHaveProperty('user');
    expectTypeOf<EventContext<unknown>>().not.toHaveProperty('locals');
  });
});

describe('defineServices', () => {
  it('infers what is made, and types what the function gets', () => {
    const services = defineServices(async ({ env, clock, onDispose }) => {
      expectTypeOf(env).toEqualTypeOf<EnvValues>();
      expectTypeOf(clock.now()).toEqualTypeOf<number>();
      expectTypeOf(onDispose).parameter(0).toEqualTypeOf<() => unknown>();
      return { db: { find: (id: string) => id.length } };
    });
    expectTypeOf<Awaited<ReturnType<typeof services>>>().toEqualTypeOf<{
      db: { find: (id: string) => number };
    }>();
    expectTypeOf(services).parameter(0).toEqualTypeOf<ServicesContext>();
    defineServices(() => ({ cache: new Map<string, number>() }));
  });

  it('refuses a function that returns no object', () => {
    // @ts-expect-error -- services are members of an object.
    defineServices(() => 'db');
    // @ts-expect-error -- nothing was returned.
    defineServices(async () => {});
    type Create = Parameters<typeof defineServices>[0];
    expectTypeOf<() => string>().not.toExtend<Create>();
    expectTypeOf<() => Promise<void>>().not.toExtend<Create>();
  });
});

describe('defineConfig', () => {
  it('keeps the type of the env schema', () => {
    const config = defineConfig({ env: z.object({ PORT: z.coerce.number() }) });
    expectTypeOf<z.output<NonNullable<typeof config.env>>>().toEqualTypeOf<{ PORT: number }>();
  });

  it('refuses keys and values it does not know', () => {
    // @ts-expect-error -- the key is called separator.
    defineConfig({ separater: '-' });
    // @ts-expect-error -- names of commands cannot hold a dot.
    defineConfig({ separator: '.' });
    // @ts-expect-error -- a number has no unit.
    defineConfig({ drain: 10_000 });
    // @ts-expect-error -- the intent is called MESSAGE_REACTIONS.
    defineConfig({ intents: ['REACTIONS'] });
    // @ts-expect-error -- an environment is one zod object.
    defineConfig({ env: z.string() });
    // @ts-expect-error -- the assumption is called pageMax.
    defineConfig({ profile: { pageMaximum: 10 } });
    expectTypeOf<{ separator: '/' }>().not.toExtend<Config>();
  });
});
