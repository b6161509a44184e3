import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const REST = new URL('../dist/rest.js', import.meta.url).href;

test('V8 does not optimize the parser of responses for the few calls of a start', async () => {
  const server = createServer((_request, response) => void response.end('{}'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const code = `
    import { createRest } from '${REST}';
    const rest = createRest({ token: 'token-of-a-test-bot', baseUrl: 'http://127.0.0.1:${port}' });
    for (let call = 0; call < 20; call += 1) await rest.users.me().catch(() => {});
    await rest.close();
  `;
  const flags = ['--trace-wasm-compilation-times', '--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  server.close();
  expect(stdout).toContain('using Liftoff');
  expect(stdout).not.toContain('using TurboFan');
});
