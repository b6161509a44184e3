import { Pool } from 'undici';
import { onTestFinished } from 'vitest';
import type { HttpDispatcher } from '@virgule/client/rest';

/** A pool of connections that reports each chunk of a body before the client reads it. */
export function watchBody(origin: string, onPiece: () => void): HttpDispatcher {
  const pool = new Pool(origin);
  onTestFinished(() => pool.destroy());
  return {
    dispatch: (request, handler) =>
      pool.dispatch(request, {
        onRequestStart: (controller) => handler.onRequestStart(controller),
        onResponseStart: (controller, statusCode, headers) =>
          handler.onResponseStart(controller, statusCode, headers),
        onResponseData: (controller, chunk) => {
          onPiece();
          handler.onResponseData(controller, chunk);
        },
        onResponseEnd: (controller) => handler.onResponseEnd(controller),
        onResponseError: (controller, error) => handler.onResponseError(controller, error),
      }),
  };
}
