import { describe, expect, it } from 'vitest';
import { detectPackageManager, packageManagerFiles, scriptCommand } from './package-manager.js';

describe('detectPackageManager', () => {
  it.each([
    ['pnpm/10.34.9 npm/? node/v20.20.2 linux x64', 'pnpm'],
    ['yarn/4.9.1 npm/? node/v20.20.2 linux x64', 'yarn'],
    ['bun/1.3.0 npm/? node/v24.3.0 linux x64', 'bun'],
    ['npm/11.19.1 node/v20.20.2 linux x64 workspaces/false', 'npm'],
    ['cnpm/9.0.0 npm/? node/v20.20.2', 'npm'],
    ['', 'npm'],
    [undefined, 'npm'],
  ])('reads %s as %s', (userAgent, name) => {
    expect(detectPackageManager(userAgent)).toBe(name);
  });
});

describe('scriptCommand', () => {
  it('is what a person would type', () => {
    expect(scriptCommand('npm', 'dev')).toBe('npm run dev');
    expect(scriptCommand('bun', 'dev')).toBe('bun run dev');
    expect(scriptCommand('pnpm', 'dev')).toBe('pnpm dev');
    expect(scriptCommand('yarn', 'dev')).toBe('yarn dev');
  });
});

describe('packageManagerFiles', () => {
  it('lets pnpm, and only pnpm, run the install script of esbuild', () => {
    expect(packageManagerFiles('pnpm').map(({ path }) => path)).toEqual(['pnpm-workspace.yaml']);
    expect(packageManagerFiles('npm')).toEqual([]);
  });
});
