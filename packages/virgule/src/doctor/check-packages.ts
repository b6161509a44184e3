import { realpathSync } from 'node:fs';
import { createPackages, readPackageJson } from '../loader/packages.js';
import { version as ownVersion } from '../terminal/version.js';
import { PACKAGE_FOLDER } from '../package-folder.js';
import { resultsOf, type DoctorLine } from './doctor-line.js';

const ZOD_MAJOR = 4;
const OWN_FOLDER = realpathSync(PACKAGE_FOLDER);

/** Oldest supported version of Node.js. */
const OLDEST = { major: 20, minor: 19 };

/** Checks that this version of Node.js is supported; `version` is `process.versions.node`. */
export function checkNode(version: string): DoctorLine {
  const { ok, fail } = resultsOf('Node.js');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor);
  const hint = `Install Node.js ${OLDEST.major}.${OLDEST.minor} or newer.`;
  return isOld ? fail(`${version} is too old`, hint) : ok(version);
}

/** Checks whether each package that a bot imports is installed in a compatible version. */
export function checkPackages(root: string): DoctorLine[] {
  return [checkVirgule(root), checkZod(root)];
}

function checkVirgule(root: string): DoctorLine {
  const { ok, warn, fail } = resultsOf('virgule');
  const installed = find('virgule', root);
  if (!installed)
    return fail(
      `${ownVersion}, but it is not installed in this project`,
      'Run `npm install virgule`: commands import it by its name.',
    );
  if (installed.folder === OWN_FOLDER) return ok(ownVersion);
  return warn(
    `this is ${ownVersion}, but ${installed.version} is installed in the project`,
    'Run `npx virgule` in the project to use its own version.',
  );
}

function checkZod(root: string): DoctorLine {
  const { ok, fail } = resultsOf('zod');
  const used = find('zod', root);
  if (!used)
    return fail('not installed', 'Run `npm install zod`: command options are zod schemas.');
  if (Number.parseInt(used.version, 10) < ZOD_MAJOR)
    return fail(`${used.version} is too old`, `Run \`npm install zod@${ZOD_MAJOR}\`.`);
  return ok(used.version);
}

/** Finds the package that code in `folder` imports by this name. */
function find(name: string, folder: string) {
  const found = createPackages().find(name, folder);
  if (found === undefined) return undefined;
  const real = realpathSync(found);
  return { folder: real, version: readPackageJson(real)?.version ?? 'unknown version' };
}
