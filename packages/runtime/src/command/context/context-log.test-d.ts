import { describe, expectTypeOf, it } from 'vitest';
import { defineCommand } from '../define/define-command.js';
import { defineEvent } from '../../events/define-event.js';
import { defineServices } from '../../services/define-services.js';
import type { ContextLog, WriteLogLine } from './context-log.js';

describe('log', () => {
  it('takes a message, details or an error, in commands, events and services', () => {
    const write = (log: ContextLog): void => {
      log.info('The database is open.');
      log.info({ sides: 6 }, 'Rolled.');
      log.info({ sides: 6 });
      log.warn(new Error('full'));
      log.error(new Error('full'), 'saving failed');
      try {
        log.debug('trying');
      } catch (error) {
        // The caught value is unknown.
        log.error(error, 'saving failed');
      }
      // As console and other loggers take them.
      log.info('Rolled.', { sides: 6 });
      log.error('saving failed', new Error('full'));
      // @ts-expect-error -- nothing comes after the message and its details
      log.info('Rolled.', { sides: 6 }, 'twice');
    };
    defineCommand({ description: 'x', run: ({ log }) => write(log) });
    defineEvent('MESSAGE_CREATE', ({ log }) => write(log));
    defineServices(({ log }) => {
      write(log);
      return {};
    });
    expectTypeOf<ContextLog['info']>().toEqualTypeOf<WriteLogLine>();
  });
});
