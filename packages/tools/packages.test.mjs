import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJson, root, workspaceFolders } from './repository.mjs';

const published = workspaceFolders()
  .map((folder) => ({ folder, manifest: readJson(join(folder, 'package.json')) }))
  .filter(({ manifest }) => !manifest.private);

describe('the published packages', () => {
  it('name one repository, one site and one place for issues, as SECURITY.md does', () => {
    const addresses = published.map(({ manifest: { homepage, bugs, repository } }) => ({
      homepage,
      issues: bugs.url,
      source: repository.url,
    }));
    const [first] = addresses;
    expect(addresses).toEqual(addresses.map(() => first));
    const repository = first.issues.replace(/\/issues$/, '');
    expect(first.source).toBe(`git+${repository}.git`);
    const security = readFileSync(join(root, 'SECURITY.md'), 'utf8');
    expect(security).toContain(`<${repository}/security/advisories/new>`);
    expect(security).toContain(`<security@${new URL(first.homepage).host}>`);
  });
});

it('share one version, the newest of the changelog', () => {
  const [, newest] = /^## (\S+)/mu.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  expect(new Set(published.map(({ manifest }) => manifest.version))).toEqual(new Set([newest]));
});

it('install no command with a name that others use', () => {
  const bins = published.flatMap(({ manifest }) => Object.keys(manifest.bin ?? {}));
  expect(bins.toSorted()).toEqual(['create-template', 'create-virgule', 'framework', 'virgule']);
});

// Without SQLite, a built bot with tasks does not start on Node.js 20.
it('templates with tasks bring SQLite for Node.js 20', () => {
  const folders = readdirSync(join(root, 'templates')).map((name) => join(root, 'templates', name));
  const storing = folders.filter((folder) => existsSync(join(folder, 'tasks')));
  const without = storing.filter(
    (folder) => !('libsql' in readJson(join(folder, 'package.json')).dependencies),
  );
  expect(storing.length).toBeGreaterThan(1);
  expect(without).toEqual([]);
});

describe.each(published)('the manifest of $manifest.name', ({ folder, manifest }) => {
  it('leads from npm to the source, the issues and the site, and can have provenance', () => {
    expect(manifest).toMatchObject({
      license: 'MIT',
      homepage: expect.stringMatching(/^https:/),
      bugs: { url: expect.stringMatching(/^https:.*issues$/) },
      repository: { type: 'git', directory: relative(root, folder) },
      publishConfig: { access: 'public', provenance: true },
      engines: { node: '>=20.19' },
    });
    expect(manifest.keywords.length).toBeGreaterThan(2);
  });

  it('has nothing that npm removes or warns about when it publishes', () => {
    expect(Object.keys(manifest.publishConfig)).toEqual(['access', 'provenance']);
    // npm rewrites a path that begins with "./".
    expect(Object.values(manifest.bin ?? {})).not.toContainEqual(expect.stringMatching(/^\./));
  });

  it('has the license next to it', () => {
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(
      readFileSync(join(root, 'LICENSE'), 'utf8'),
    );
  });

  it('is run by `npm create` under the name that the user typed', () => {
    const bins = manifest.name.startsWith('create-') ? Object.values(manifest.bin) : [];
    // npm takes the first one if all lead to the same file.
    expect(new Set(bins).size).toBe(bins.length);
  });

  it('allows every version of a dependency that works', () => {
    const ranges = { ...manifest.dependencies, ...manifest.peerDependencies };
    expect(Object.keys(ranges).filter((name) => /^\d/.test(ranges[name]))).toEqual([]);
    expect(ranges.zod ?? '^4.0.0').toBe('^4.0.0');
  });
});

/** Returns the names of all packages that are installed with a package, and what may be installed with them. */
function installedWith(folder, names = new Set()) {
  const { dependencies, optionalDependencies, peerDependencies } = readJson(
    join(folder, 'package.json'),
  );
  for (const name of Object.keys({
    ...dependencies,
    ...optionalDependencies,
    ...peerDependencies,
  })) {
    if (names.has(name)) continue;
    names.add(name);
    const installed = join(folder, 'node_modules', name);
    // Dependencies of other packages lie next to them.
    const near = join(
      realpathSync(folder).replace(/(node_modules)(?!.*node_modules).*/, '$1'),
      name,
    );
    const found = [installed, near].find((path) => existsSync(join(path, 'package.json')));
    if (found) installedWith(realpathSync(found), names);
  }
  return names;
}

describe('virgule', () => {
  const foldersOf = Object.fromEntries(
    published.map(({ folder, manifest }) => [manifest.name, folder]),
  );
  const ofVoice = /^@virgule\/voice$|node-datachannel|werift|wrtc|livekit|ffmpeg|opus/;
  const audio = (name) => [...installedWith(foldersOf[name])].filter((each) => ofVoice.test(each));

  it('installs nothing that plays audio', () => {
    expect(audio('virgule')).toEqual([]);
    // The search finds the packages where they are installed.
    expect(audio('@virgule/voice')).toEqual(expect.arrayContaining(['node-datachannel', 'werift']));
    expect([...installedWith(foldersOf['virgule'])]).toEqual(
      expect.arrayContaining(['@virgule/runtime', '@virgule/simulator', 'undici', 'esbuild']),
    );
  });
});
