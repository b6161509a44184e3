import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const templates = new URL('../../../templates/', import.meta.url);
const program = fileURLToPath(new URL('../bin/virgule.mjs', import.meta.url));

describe('virgule fuzz', () => {
  it.each(readdirSync(templates))('finds nothing in the template %s', async (name) => {
    const options = { cwd: fileURLToPath(new URL(name, templates)), timeout: 60_000 };
    const argv = [program, 'fuzz', '--seed', '1', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, argv, options);
    expect(JSON.parse(stdout)).toMatchObject({ findings: [], skipped: [] });
  });
});
