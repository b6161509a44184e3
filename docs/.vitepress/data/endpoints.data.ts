import { API_PREFIX, ENDPOINTS } from '@virgule/core/protocol';

export interface EndpointRow {
  readonly number: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly needs: string;
  readonly answer: string;
}

declare const data: readonly EndpointRow[];
export { data };

/** The table of endpoints that the client and the simulator use. */
export default {
  load(): readonly EndpointRow[] {
    return Object.values(ENDPOINTS).map((endpoint) => ({
      number: endpoint.number === null ? '' : String(endpoint.number),
      name: endpoint.name,
      method: endpoint.method,
      path: API_PREFIX[endpoint.api] + endpoint.path,
      needs: (endpoint.anyPermission ?? []).join(' or '),
      answer: answerOf(endpoint.response),
    }));
  },
};

function answerOf(response: unknown): string {
  if (response === null) return 'no body';
  return typeof response === 'object' && 'notShown' in response ? 'not specified' : 'specified';
}
