import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, orUndefined } from '@virgule/core/objects';
import type { InstalledPackage } from './installed-package.js';

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[-._].*)?$/i;
const LINE = '-'.repeat(80);

/** Returns the licenses of the bundled packages, as one text. Most licenses require their distribution. */
export function thirdPartyNotices(packages: readonly InstalledPackage[]): string {
  const sections = packages.map((found) => {
    const { name, folder, manifest } = found;
    const title = [name, manifest.version, licenseOf(found)].filter(Boolean).join(' ');
    return [LINE, title, ...licenseTexts(folder)].join('\n\n');
  });
  return `${['bot.mjs contains code of the following packages.', ...sections].join('\n\n')}\n`;
}

/** Returns the license as `(MIT)`. In old packages, the field is an object. */
function licenseOf({ manifest: { license } }: InstalledPackage): string {
  if (typeof license === 'string') return `(${license})`;
  return isObject(license) && 'type' in license ? `(${String(license.type)})` : '';
}

function licenseTexts(folder: string): string[] {
  // Some package managers keep the folder elsewhere.
  const names = orUndefined(() => readdirSync(folder)) ?? [];
  const files = names.filter((name) => LICENSE_FILE.test(name)).toSorted();
  // An unreadable match is a folder of licenses.
  const texts = files.flatMap(
    (name) => orUndefined(() => readFileSync(join(folder, name), 'utf8')) ?? [],
  );
  return texts.map((text) => text.replaceAll('\r\n', '\n').trim());
}
