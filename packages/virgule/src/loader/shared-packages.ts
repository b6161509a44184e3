import { splitSpecifier } from './packages.js';

/** Packages that the bot and the process that runs it must have one and the same copy of. */
export function isSharedPackage(specifier: string): boolean {
  return isOurPackage(specifier) || splitSpecifier(specifier).name === 'zod';
}

/** Returns whether a package is one of the framework. */
export function isOurPackage(specifier: string): boolean {
  const { name } = splitSpecifier(specifier);
  return name === 'virgule' || name.startsWith('@virgule/');
}
