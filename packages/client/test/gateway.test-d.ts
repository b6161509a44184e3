import { describe, expectTypeOf, it } from 'vitest';
import {
  createGateway,
  isVirguleError,
  type ApplicationCommandEvent,
  type Clock,
  type Gateway,
  type Intent,
  type KnownEvent,
  type Log,
  type MessageEvent,
  type ProfileSettings,
  type Ready,
  type VirguleError,
} from '@virgule/client/gateway';

const gateway = createGateway({ token: 'x', gatewayUrl: 'wss://x' });

describe('Gateway', () => {
  it('infers the type of each payload', () => {
    void gateway.connect({
      dispatch({ t, d, receivedAtMs }) {
        expectTypeOf(receivedAtMs).toEqualTypeOf<number>();
        if (t === 'MESSAGE_CREATE') expectTypeOf(d).toEqualTypeOf<MessageEvent>();
        if (t === 'APPLICATION_COMMAND') expectTypeOf(d).toEqualTypeOf<ApplicationCommandEvent>();
      },
    });
    expectTypeOf<Extract<KnownEvent, { t: 'MESSAGE_CREATE' }>['d']>().toEqualTypeOf<MessageEvent>();
  });

  it('exports what its signatures name', () => {
    expectTypeOf<ReturnType<Gateway['connect']>>().resolves.toEqualTypeOf<Ready>();
    type Options = Parameters<typeof createGateway>[0];
    expectTypeOf<readonly Intent[]>().toExtend<NonNullable<Options['intents']>>();
    expectTypeOf<Clock>().toExtend<NonNullable<Options['clock']>>();
    expectTypeOf<Log>().toExtend<NonNullable<Options['log']>>();
    expectTypeOf<ProfileSettings>().toExtend<NonNullable<Options['profile']>>();
    const error: unknown = undefined;
    if (isVirguleError(error)) expectTypeOf(error).toEqualTypeOf<VirguleError>();
  });
});
