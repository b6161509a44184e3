import type { RequestPlan } from '../src/request/call.js';

/** A request of which only the given parts matter. */
export function planOf(parts: Partial<RequestPlan>): RequestPlan {
  return {
    endpoint: 'users.me',
    route: 'GET /users/@me',
    lane: 'general',
    major: '',
    retry: 'safe',
    origin: 'https://chat.example.com',
    method: 'GET',
    path: '/users/@me',
    headers: {},
    body: null,
    needsBody: false,
    doneBefore: () => false,
    patienceMs: 15_000,
    ...parts,
  };
}
