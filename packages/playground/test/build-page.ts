import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

/** Builds the page for a test run into a separate folder, so that the tests never load an outdated page. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'virgule-page-'));
  const buildOnce = () =>
    build({
      root: fileURLToPath(new URL('..', import.meta.url)),
      logLevel: 'error',
      mode: 'production',
      build: { outDir: dir, emptyOutDir: true },
    });
  await buildOnce();
  project.onTestsRerun(async () => void (await buildOnce()));
  project.provide('pageFolder', dir);
  return () => rm(dir, { recursive: true, force: true });
}
