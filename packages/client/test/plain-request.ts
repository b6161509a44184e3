import type { HttpRequest } from '../src/request/pool.js';

/** A GET of `/` with nothing to it, and without any timeout. */
export const plainRequest = (origin: string): HttpRequest => ({
  origin,
  path: '/',
  method: 'GET',
  headers: {},
  body: null,
});
