import { errorText } from '@virgule/core/errors';
import { recordIn } from '@virgule/core/objects';
import { SimFile } from '@virgule/simulator/control';
import { cliErrors } from '../terminal/cli-errors.js';

/**
 * Performs an action of the simulator at an address. Returns the response, as `Simulator.act` does.
 *
 * @throws VirguleError `E_SIM_REQUEST` when the simulator refuses, or cannot be reached.
 */
export async function requestAction(
  baseUrl: string,
  name: string,
  input: object,
  signal?: AbortSignal,
): Promise<unknown> {
  try {
    const response = await fetch(`${baseUrl}/_sim/${name}`, {
      method: 'POST',
      body: JSON.stringify(input),
      headers: { 'content-type': 'application/json' },
      signal: signal ?? null,
    });
    if (!response.ok) {
      // Every refusal of a simulator has this shape; a proxy in between may send anything.
      const { message } = recordIn(await response.text()) ?? {};
      throw new Error(typeof message === 'string' ? message : `status ${response.status}`);
    }
    const { headers } = response;
    const fileName = /filename\*=UTF-8''(.*)$/.exec(headers.get('content-disposition') ?? '')?.[1];
    if (fileName === undefined) return await response.json();
    const bytes = Buffer.from(await response.arrayBuffer());
    return new SimFile(decodeURIComponent(fileName), headers.get('content-type') ?? '', bytes);
  } catch (cause) {
    signal?.throwIfAborted();
    // The error of `fetch` has the reason in its cause.
    const reason = errorText(Object(cause).cause ?? cause);
    throw cliErrors.E_SIM_REQUEST({ baseUrl, reason }, { cause });
  }
}
