import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFakePlatform } from '../src/platform/fake-platform.js';
import { createStartProjects } from '../src/projects/start-projects.js';

describe('createStartProjects', () => {
  it('makes two bots that connect, and removes them', async () => {
    const projects = await createStartProjects(3);
    onTestFinished(projects.close);
    for (const file of [projects.built, projects.floor]) {
      const platform = await startFakePlatform();
      onTestFinished(() => platform.close());
      const abort = new AbortController();
      const ended = promisify(execFile)(process.execPath, [file], {
        cwd: projects.folder,
        signal: abort.signal,
        env: {
          PATH: process.env['PATH'],
          BOT_TOKEN: 'opens-nothing',
          BOT_BASE_URL: `http://127.0.0.1:${platform.port}`,
          BOT_GATEWAY_URL: `ws://127.0.0.1:${platform.port}`,
        },
      });
      // A bot that ends by itself shows here what it said.
      await Promise.race([platform.identified, ended]);
      abort.abort();
      await expect(ended).rejects.toThrow(/abort/i);
    }
    await projects.close();
    expect(existsSync(projects.folder)).toBe(false);
  });
});
