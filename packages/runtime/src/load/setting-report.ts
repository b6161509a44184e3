import type { SourceLocation, VirguleError } from '@virgule/core/errors';
import { isRecord } from '@virgule/core/objects';
import { didYouMean } from '@virgule/core/text';
import { runtimeErrors } from '../errors/runtime-errors.js';
import {
  locateDefaultExport,
  locateExport,
  locateName,
  type SourceFile,
} from '../options/locate-key.js';
import type { ModuleExports } from './import-file.js';
import { isClass } from './is-class.js';
import { isRunOfOther, keyOfOther } from './keys-of-others.js';

/** Reports what is wrong with the settings in one file, each problem at its line if the source is known. */
export class SettingReport {
  readonly #where: SourceFile;
  readonly #report: (problem: VirguleError) => void;
  #isValid = true;

  constructor(where: SourceFile, report: (problem: VirguleError) => void) {
    this.#where = where;
    this.#report = report;
  }

  /** Whether nothing was reported. */
  get isValid(): boolean {
    return this.#isValid;
  }

  add(problem: VirguleError): void {
    this.#isValid = false;
    this.#report(problem);
  }

  /** Reports that the default export `saw` is no handler. `form` is what to write instead of it. */
  noHandler(saw: unknown, want: string, form: string): void {
    const { file } = this.#where;
    const instead = isRecord(saw) ? Object.keys(saw).find(isRunOfOther) : undefined;
    const is = isClass(saw)
      ? 'class'
      : isRecord(saw) && !isHandler(saw['run'])
        ? 'object'
        : 'other';
    const location =
      instead === undefined ? locateDefaultExport(this.#where) : this.locate(instead);
    this.add(runtimeErrors.E_NO_HANDLER({ file, want, form, is, instead }, { location }));
  }

  /** Reports an invalid value of a setting, such as `cooldown.every`. */
  refuse(key: string, want: string, saw: unknown, advice?: string): void {
    const { file } = this.#where;
    const location = this.locate(...key.split('.').toReversed());
    this.add(runtimeErrors.E_SETTING({ file, key, want, saw, advice }, { location }));
  }

  /** Reports an invalid value of a setting for which a value of a list may have been meant. */
  refuseUnlisted(key: string, want: string, saw: unknown, known: readonly string[]): void {
    const meant = typeof saw === 'string' ? didYouMean(saw, known) : undefined;
    this.refuse(key, want, saw, meant && `Did you mean '${meant}'?`);
  }

  /** Reports the exports that are not in `known`. */
  unknownExports(exports: ModuleExports, known: readonly string[]): void {
    const { file } = this.#where;
    for (const key of Object.keys(exports).filter((each) => !known.includes(each))) {
      const advice = keyOfOther(key, 'export');
      const details = { file, key, meant: didYouMean(key, known), known, advice, isExport: true };
      const location = locateExport(this.#where, key);
      this.add(runtimeErrors.E_UNKNOWN_KEY(details, { location }));
    }
  }

  /** Reports the keys that are not in `known`. `setting` is the one that they belong to. */
  unknownKeys(keys: readonly string[], known: readonly string[], setting?: string): void {
    const { file } = this.#where;
    for (const name of keys.filter((each) => !known.includes(each))) {
      const key = setting === undefined ? name : `${setting}.${name}`;
      const advice = setting === undefined ? keyOfOther(name, 'key') : undefined;
      const details = { file, key, meant: didYouMean(name, known), known, advice };
      const location = this.locate(name, ...(setting === undefined ? [] : [setting]));
      this.add(runtimeErrors.E_UNKNOWN_KEY(details, { location }));
    }
  }

  /**
   * Locates a setting by its name, followed by the one around it. A setting that is missing is missing from the
   * one around it, or from the definition.
   */
  locate(...names: readonly string[]): SourceLocation {
    for (const name of names) {
      const place = locateName(this.#where, name);
      if (place.line !== undefined) return place;
    }
    return locateDefaultExport(this.#where);
  }
}

const isHandler = (value: unknown): boolean => typeof value === 'function';
