import { Exchange } from './exchange.js';
import type { HttpController } from './http-dispatcher.js';

const NO_CONTROLLER: HttpController = { abort: () => {} };

/**
 * An exchange that undici's `MockPool` can answer too: the mock calls the older names of the
 * handler's methods and passes headers as a flat list. Real pools use the newer names.
 */
export class MockableExchange extends Exchange {
  #mock = NO_CONTROLLER;

  onConnect(abort: (reason: Error) => void): void {
    this.#mock = { abort };
    this.onRequestStart(this.#mock);
  }

  onHeaders(statusCode: number, flat: readonly { toString(): string }[]): boolean {
    const headers: Record<string, string> = {};
    for (let index = 0; index + 1 < flat.length; index += 2) {
      headers[String(flat[index]).toLowerCase()] = String(flat[index + 1]);
    }
    this.onResponseStart(this.#mock, statusCode, headers);
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    this.onResponseData(this.#mock, chunk);
    return true;
  }

  onComplete(): void {
    this.onResponseEnd();
  }

  onError(error: Error): void {
    this.onResponseError(this.#mock, error);
  }
}
