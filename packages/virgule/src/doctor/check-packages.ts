import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { version as ownVersion } from '../terminal/version.js';
import { PACKAGE_FOLDER } from '../package-folder.js';
import type { DoctorLine } from './doctor-line.js';

/** An installed package. */
interface Installed {
  readonly folder: string;
  readonly version: string;
}

const ZOD_MAJOR = 4;
const OWN_FOLDER = realpathSync(PACKAGE_FOLDER);

/** Checks whether what a bot imports is installed, once, and in a version that fits. */
export function checkPackages(root: string): DoctorLine[] {
  return [checkVirgule(root), checkZod(root)];
}

function checkVirgule(root: string): DoctorLine {
  const name = 'virgule';
  const installed = find('virgule', root);
  if (!installed) {
    return {
      name,
      status: 'fail',
      message: `${ownVersion}, but it is not installed in this project`,
      hint: 'Run `npm install virgule`: commands import it by its name.',
    };
  }
  if (installed.folder === OWN_FOLDER) return { name, status: 'ok', message: ownVersion };
  return {
    name,
    status: 'warn',
    message: `this is ${ownVersion}, but ${installed.version} is installed in the project`,
    hint: 'Run `npx virgule` in the project to use its own version.',
  };
}

function checkZod(root: string): DoctorLine {
  const name = 'zod';
  const used = find('zod', root);
  if (!used) {
    return {
      name,
      status: 'fail',
      message: 'not installed',
      hint: 'Run `npm install zod`: command options are zod schemas.',
    };
  }
  if (Number.parseInt(used.version, 10) < ZOD_MAJOR) {
    return {
      name,
      status: 'fail',
      message: `${used.version} is too old`,
      hint: `Run \`npm install zod@${ZOD_MAJOR}\`.`,
    };
  }
  const others = [OWN_FOLDER, ...dependencyFolders(root)].flatMap((folder) => {
    const found = find('zod', folder);
    return found && found.folder !== used.folder ? [found] : [];
  });
  const copies = [...new Map([used, ...others].map((copy) => [copy.folder, copy])).values()];
  if (copies.length === 1) return { name, status: 'ok', message: used.version };
  const places = copies.map(({ folder, version }) => `${version} in ${relative(root, folder)}`);
  return {
    name,
    status: 'warn',
    message: `${copies.length} copies: ${places.join(', ')}`,
    hint: 'Run `npm dedupe`. Schemas of different copies work together, but the types may not.',
  };
}

/** Returns where the packages that a project names in its package.json are installed. */
function dependencyFolders(root: string): string[] {
  const { dependencies = {}, devDependencies = {} } = readPackage(root) ?? {};
  return Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => {
    try {
      return [realpathSync(join(root, 'node_modules', name))];
    } catch {
      // It is not installed there.
      return [];
    }
  });
}

/**
 * Finds the package that code in `folder` gets by this name. Looked up by hand, since `require.resolve` also
 * knows global folders, which `import` does not.
 */
function find(name: string, folder: string): Installed | null {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) {
      const real = realpathSync(found);
      return { folder: real, version: readPackage(real)?.version ?? 'unknown version' };
    }
    if (at === dirname(at)) return null;
  }
}

interface PackageFile {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function readPackage(folder: string): PackageFile | null {
  try {
    // Only its keys are used, and what is odd about them shows in what is not found.
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
  } catch {
    return null;
  }
}
