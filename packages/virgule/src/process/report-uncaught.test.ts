import { EventEmitter } from 'node:events';
import { VirguleError } from '@virgule/core/errors';
import { describe, expect, it } from 'vitest';
import { reportRejections } from './report-uncaught.js';

describe('reportRejections', () => {
  const stopped = new VirguleError({ code: 'E_HANDLER_STOPPED', kind: 'user', message: 'stopped' });

  it('says once how to let the work of a handler finish, and throws other rejections', () => {
    const port = Object.assign(new EventEmitter(), { exitCode: 0, cwd: () => '/' });
    const reports: string[] = [];
    reportRejections(port, (_level, message) => reports.push(message));
    port.emit('unhandledRejection', stopped);
    port.emit('unhandledRejection', stopped);
    expect(reports).toEqual([expect.stringContaining('run `virgule dev` to let it finish')]);
    const other = new TypeError('no url');
    expect(() => port.emit('unhandledRejection', other)).toThrow(other);
  });
});
