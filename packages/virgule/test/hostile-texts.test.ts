import { randomUUID } from 'node:crypto';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { answering as answer, openGate } from '../../simulator/test/shared/gated-simulator.js';
import { createTestIo } from './test-io.js';
import { createTestProject } from './test-project.js';

/** Clears the screen, sets the title and the clipboard, turns the text around, and looks like a line of a log. */
const HOSTILE = String.raw`\u001b[2J\u001b]0;title\u0007\u001b]52;c;aGk=\u0007\u009b1A\u202e\r\n13:37:00 ▸ forged`;

const FILES = {
  'commands/echo.ts': `export default { description: 'Echo', run: () => 'first\\nx' + '${HOSTILE}' };`,
  'commands/boom.ts': `export default {
    description: '${HOSTILE.slice(0, 40)}',
    run: ({ log }) => { log.warn({}, '${HOSTILE}'); throw new Error('${HOSTILE}'); },
  };`,
  'events/message-create.ts': `
    import { defineEvent } from 'virgule';
    export default defineEvent('MESSAGE_CREATE', async ({ data, here, log }) => {
      log.error({ err: new Error(data.content) }, data.content);
      await here?.send(data.content);
    });`,
};
const content = JSON.parse(`"x${HOSTILE}"`) as string;

describe('what is printed of texts that others wrote', () => {
  it.each([
    ['run', ['run', '/echo']],
    ['run, of an error', ['run', '/boom']],
    ['run, of a name', ['run', `/${content}`]],
    ['trigger', ['trigger', 'MESSAGE_CREATE', '--content', content]],
    ['trigger, of a line', ['trigger', 'APPLICATION_COMMAND', '--line', '/boom']],
    ['check --routes', ['check', '--routes']],
    ['check', ['check']],
    ['a flag', ['check', `--${content}`]],
  ])('acts on no terminal: %s', async (_, argv) => {
    await using project = await createTestProject(FILES);
    const io = createTestIo({ cwd: project.root, columns: 60 });
    await run(argv, io);
    expect(io.out + io.err).not.toBe('');
    expect(io.out + io.err).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
    expect(io.err).not.toMatch(/^13:37:00 ▸ forged/m);
  });

  it.each([['doctor'], ['deploy'], ['deploy', '--check'], ['deploy', '--from', content]])(
    'sends no control sequences to a terminal, whatever the names on the platform are: %s',
    async (...argv) => {
      await using platform = await startSimulator();
      const me = { applicationId: randomUUID(), botUserId: randomUUID(), username: content };
      const command = { id: randomUUID(), name: content, description: content, options: [] };
      const { baseUrl } = await openGate(platform, (line) => {
        if (line === 'GET /users/@me') return answer(200, { ...me, displayName: content });
        return answer(200, [{ ...command, createdAt: '2026-01-01T00:00:00Z' }]);
      });
      const env = {
        BOT_TOKEN: 'a-token',
        BOT_BASE_URL: baseUrl,
        BOT_GATEWAY_URL: platform.gatewayUrl,
      };
      await using project = await createTestProject(FILES);
      const io = createTestIo({ cwd: project.root, env });
      await run(argv, io);
      expect(io.out + io.err).toContain(String.raw`\u001b[2J`);
      expect(io.out + io.err).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
      expect(io.out + io.err).not.toMatch(/^13:37:00 ▸ forged/m);
    },
  );

  it('keeps the lines of an answer', async () => {
    await using project = await createTestProject(FILES);
    const io = createTestIo({ cwd: project.root });
    expect(await run(['run', '/echo'], io)).toBe(0);
    expect(io.out).toMatch(/^first\nx\\u001b\[2J/);
  });
});
