import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export interface BuiltPage {
  readonly dir: string;
  remove(): Promise<void>;
}

/** Builds the page into a folder of its own, so that tests never see a stale one or each other's. */
export async function buildPage(): Promise<BuiltPage> {
  const dir = await mkdtemp(join(tmpdir(), 'virgule-page-'));
  await build({
    root: fileURLToPath(new URL('..', import.meta.url)),
    logLevel: 'error',
    mode: 'production',
    build: { outDir: dir, emptyOutDir: true },
  });
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}
