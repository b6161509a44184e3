import { describe, expectTypeOf, it } from 'vitest';
import { bugError, defineErrors, userError, type ErrorContext } from './define-errors.js';
import type { VirguleError } from './virgule-error.js';

const errors = defineErrors({
  E_PORT_BUSY: userError<{ port: number }>({
    message: ({ port }) => `Port ${port} is already in use.`,
    hint: () => 'Stop the other program.',
  }),
  E_MAYBE: bugError<{ name?: string }>({
    message: ({ name }) => `${name} is unknown.`,
    hint: ({ name }) => name,
  }),
  E_PLAIN: userError({ message: () => 'It did not work.' }),
});

describe('defineErrors', () => {
  it('knows the codes of its table', () => {
    expectTypeOf<keyof typeof errors>().toEqualTypeOf<'E_PORT_BUSY' | 'E_MAYBE' | 'E_PLAIN'>();
  });

  it('requires the details that the message of each code reads', () => {
    expectTypeOf(errors.E_PORT_BUSY).parameters.toEqualTypeOf<
      [details: { port: number }, context?: ErrorContext]
    >();
    expectTypeOf(errors.E_MAYBE).parameter(0).toEqualTypeOf<{ name?: string }>();
    expectTypeOf(errors.E_PORT_BUSY).returns.toEqualTypeOf<VirguleError>();
  });

  it('takes no details where message and hint read none', () => {
    expectTypeOf(errors.E_PLAIN).parameter(0).toEqualTypeOf<object>();
  });

  it('passes the details to the hint too', () => {
    type Hint = NonNullable<Parameters<typeof userError<{ port: number }>>[0]['hint']>;
    expectTypeOf<Hint>().parameter(0).toEqualTypeOf<{ port: number }>();
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
    type Message = () => string;
    expectTypeOf<{ E_X: { kind: 'user'; message: Message } }>().toExtend<Table>();
    expectTypeOf<{ E_X: { message: Message } }>().not.toExtend<Table>();
    expectTypeOf<{ E_X: { kind: 'user' } }>().not.toExtend<Table>();
    expectTypeOf<{ E_X: { kind: 'network'; message: Message } }>().not.toExtend<Table>();
  });
});
