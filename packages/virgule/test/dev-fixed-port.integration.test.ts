import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startDev } from './running-dev.js';

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Code that creates a server on a port, and awaits it or not. */
const FORMS = {
  awaited: `server.listen(PORT, '127.0.0.1'); await once(server, 'listening');`,
  'not awaited': `server.listen(PORT, '127.0.0.1');`,
};

it.each(Object.entries(FORMS))(
  'takes over services with a port of their own, %s',
  async (_, listens) => {
    const port = await freePort();
    const services = (text: string): string => `
      import { createServer } from 'node:http';
      import { once } from 'node:events';
      import { defineServices } from 'virgule';
      export default defineServices(async () => {
        const server = createServer((_, response) => response.end('${text}'));
        ${listens.replace('PORT', String(port))}
        return { web: { text: '${text}', close: () => {
          server.closeAllConnections();
          return new Promise((done) => server.close(done));
        } } };
      });`;
    await using dev = await startDev({
      'services.ts': services('one'),
      'commands/web.ts': `export default { description: 'W', run: async ({ services }) =>
        services.web.text + ' ' + await (await fetch('http://127.0.0.1:${port}')).text() };`,
    });
    expect(await dev.say('/web')).toBe('one one');
    for (const text of ['two', 'three']) {
      await dev.project.write('services.ts', services(text));
      expect((await dev.reported('restart'))['reason']).toBe('services.ts runs only at startup');
      expect(await dev.say('/web')).toBe(`${text} ${text}`);
    }
    expect(dev.reports.filter(({ type }) => type === 'problems' || type === 'lost')).toEqual([]);
    expect(await dev.identifies()).toBe(1);
  },
);
