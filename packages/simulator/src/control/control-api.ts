// `/_sim/*`: one route for each action. Not part of the Bot Interface.
import { isVirguleError } from '@virgule/core/errors';
import { downloadAnswer, jsonAnswer, type Answer, type Incoming } from '../server/exchange.js';
import { parseJson, validateBody, validateQuery } from '../server/validate.js';
import { Refusal } from '../world/refusal.js';
import { SimFile, type Control } from './action.js';
import { SIM_ACTIONS } from './actions.js';

/** Maximum size of a JSON body, in bytes. */
const MAX_BODY_BYTES = 64 * 1024;

export function createControlApi(control: Control) {
  const { profile } = control.world;
  const byName = new Map(SIM_ACTIONS.map((action) => [action.name, action]));

  /** Calls a function; an error about an unknown name becomes a refusal. */
  async function refusing(act: () => unknown): Promise<unknown> {
    try {
      return await act();
    } catch (error) {
      if (!isVirguleError(error)) throw error;
      const { message, hint } = error;
      throw new Refusal(404, 'bot_not_found', `${message} ${hint ?? ''}`.trim());
    }
  }

  return {
    /** @throws Refusal when the request is rejected. */
    async handle(incoming: Incoming): Promise<Answer> {
      const { method, path, query } = incoming;
      const action = byName.get(path.slice('/_sim/'.length));
      const isQuery = method === 'GET';
      if (action === undefined || !(isQuery ? action.reads : method === 'POST'))
        throw unknownAction(`${method} ${path}`);
      const maxBytes = action.maxBytes?.(control.world) ?? MAX_BODY_BYTES;
      const sent = isQuery ? Buffer.alloc(0) : await incoming.body(maxBytes);
      const input = isQuery
        ? validateQuery(action.input, query, profile)
        : validateBody(action.input, sent.length === 0 ? {} : parseJson(sent), profile);
      const result = await refusing(() => action.act(input, control));
      if (!(result instanceof SimFile)) return jsonAnswer(200, result);
      return downloadAnswer({ attachment: result, bytes: result.bytes });
    },
    /** Carries out an action. @throws Refusal when the action is rejected. */
    async act(name: string, value: unknown): Promise<unknown> {
      const action = byName.get(name);
      if (action === undefined) throw unknownAction(name);
      return action.act(validateBody(action.input, value, profile), control);
    },
  };
}

const unknownAction = (name: string): Refusal =>
  new Refusal(501, 'sim_not_implemented', `${name} is not part of the control API.`);
