import type { Log } from '@virgule/core/log';
import type { ApplicationCommandEvent } from '@virgule/core/protocol';

type Level = 'debug' | 'info' | 'warn' | 'error';
type Line = Log[Level];

/**
 * Writes lines that name an interaction. Every member can be destructured; it is made when it is
 * asked for, since most commands write no line, and one that waits would hold it for long.
 */
export class ContextLog implements Log {
  readonly #log: Log;
  readonly #event: ApplicationCommandEvent;

  constructor(log: Log, event: ApplicationCommandEvent) {
    this.#log = log;
    this.#event = event;
  }

  get debug(): Line {
    return this.#line('debug');
  }
  get info(): Line {
    return this.#line('info');
  }
  get warn(): Line {
    return this.#line('warn');
  }
  get error(): Line {
    return this.#line('error');
  }

  #line(level: Level): Line {
    const { name: command, interactionId } = this.#event;
    return (details, message) => this.#log[level]({ command, interactionId, ...details }, message);
  }
}
