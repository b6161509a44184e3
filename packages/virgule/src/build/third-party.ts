import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '@virgule/core/objects';
import type { InstalledPackage } from './installed-package.js';

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[-._].*)?$/i;
const LINE = '-'.repeat(80);

/** Returns the licenses of the packages that are bundled, as one text. Most of them require it to be passed on. */
export function thirdPartyNotices(packages: readonly InstalledPackage[]): string {
  const sections = packages.map((found) => {
    const { name, folder, manifest } = found;
    const title = [name, manifest.version, licenseOf(found)].filter(Boolean).join(' ');
    return [LINE, title, ...licenseTexts(folder)].join('\n\n');
  });
  return `${['bot.mjs contains code of the following packages.', ...sections].join('\n\n')}\n`;
}

/** Returns the license as `(MIT)`. Old packages have an object there. */
function licenseOf({ manifest: { license } }: InstalledPackage): string {
  if (typeof license === 'string') return `(${license})`;
  const isNamed = isObject(license) && 'type' in license;
  return isNamed ? `(${String(license.type)})` : '';
}

function licenseTexts(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => LICENSE_FILE.test(name));
  } catch {
    // The package manager keeps it elsewhere.
    return [];
  }
  return names.toSorted().flatMap((name) => {
    try {
      return [readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()];
    } catch {
      // A folder of licenses.
      return [];
    }
  });
}
