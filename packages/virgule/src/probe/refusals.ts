import { isApiRefused } from '@virgule/client/rest';
import type { Lab, Refusal } from './lab.js';

export type Call = () => Promise<unknown>;
export const isAccepted = ({ status }: Refusal): boolean => status === 200;
export const isInvalid = ({ code }: Refusal): boolean => code === 'bot_validation_error';

/** Resolves with the refusal of a call. Rejects if the platform failed, which shows nothing about the call. */
export const refusalOf = (call: Promise<unknown>): Promise<Refusal> =>
  call.then(
    () => ({ status: 200, code: '' }),
    (error: unknown) => {
      if (!isApiRefused(error)) throw error;
      const { status, apiCode: code } = error.details;
      if (status >= 500 || status === 408) throw error;
      return { status, code };
    },
  );

export const twice = async (call: Call) => [await refusalOf(call()), await refusalOf(call())];

/** Keeps the refusals of equal calls as a fact. */
export function keepRefusals(lab: Lab, name: string, refusals: readonly Refusal[]): void {
  for (const refusal of refusals) lab.keep(name, refusal, [`${refusal.status} ${refusal.code}`]);
}
