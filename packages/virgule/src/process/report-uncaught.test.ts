import { EventEmitter } from 'node:events';
import { VirguleError } from '@virgule/core/errors';
import { describe, expect, it } from 'vitest';
import { reportRejections } from './report-uncaught.js';

describe('reportRejections', () => {
  const stopped = new VirguleError({ code: 'E_HANDLER_STOPPED', kind: 'user', message: 'stopped' });

  it('says once how to let the work of a handler finish, and continues after others', () => {
    const port = Object.assign(new EventEmitter(), { exitCode: 0, cwd: () => '/' });
    const reports: string[] = [];
    reportRejections(port, (_level, message) => reports.push(message));
    port.emit('unhandledRejection', stopped);
    port.emit('unhandledRejection', stopped);
    expect(reports).toEqual([expect.stringContaining('run `virgule dev` to let it finish')]);
    port.emit('unhandledRejection', 'no url');
    port.emit('exit');
    expect(reports[1]).toBe('unhandled rejection (is an await missing?): no url');
    expect(port.exitCode).toBe(1);
  });
});
