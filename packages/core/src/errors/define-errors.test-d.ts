import { describe, expectTypeOf, it } from 'vitest';
import { bugError, defineErrors, userError, type ErrorContext } from './define-errors.js';
import type { VirguleError } from './virgule-error.js';

const errors = defineErrors({
  E_PORT_BUSY: userError<{ port: number }>(({ port }) => [
    `Port ${port} is already in use.`,
    'Stop the other program.',
  ]),
  E_MAYBE: bugError<{ name?: string }>(({ name }) => [`${name} is unknown.`, name]),
  E_PLAIN: userError(() => ['It did not work.']),
});

describe('defineErrors', () => {
  it('knows the codes of its table', () => {
    expectTypeOf<keyof typeof errors>().toEqualTypeOf<'E_PORT_BUSY' | 'E_MAYBE' | 'E_PLAIN'>();
  });

  it('requires the details that the texts of each code read', () => {
    expectTypeOf(errors.E_PORT_BUSY).parameters.toEqualTypeOf<
      [details: { port: number }, context?: ErrorContext]
    >();
    expectTypeOf(errors.E_MAYBE).parameter(0).toEqualTypeOf<{ name?: string }>();
    expectTypeOf(errors.E_PORT_BUSY).returns.toEqualTypeOf<VirguleError>();
  });

  it('takes no details where the texts read none', () => {
    expectTypeOf(errors.E_PLAIN).parameter(0).toEqualTypeOf<object>();
  });

  it('rejects details of another code or another type', () => {
    type PortBusy = Parameters<typeof errors.E_PORT_BUSY>;
    expectTypeOf<[{ port: string }]>().not.toExtend<PortBusy>();
    expectTypeOf<[{ name: string }]>().not.toExtend<PortBusy>();
    expectTypeOf<[]>().not.toExtend<PortBusy>();
    expectTypeOf(errors).not.toHaveProperty('E_TOKEN_MISSING');
  });

  it('rejects a row without a kind or a message, or with a third kind', () => {
    type Table = Parameters<typeof defineErrors>[0];
    type Texts = () => [string];
    expectTypeOf<{ E_X: { kind: 'user'; texts: Texts } }>().toExtend<Table>();
    expectTypeOf<{ E_X: { texts: Texts } }>().not.toExtend<Table>();
    expectTypeOf<{ E_X: { kind: 'user'; texts: () => [] } }>().not.toExtend<Table>();
    expectTypeOf<{ E_X: { kind: 'network'; texts: Texts } }>().not.toExtend<Table>();
  });
});
