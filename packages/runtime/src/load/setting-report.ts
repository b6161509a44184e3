import type { SourceLocation, VirguleError } from '@virgule/core/errors';
import { didYouMean } from '@virgule/core/text';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { locateDefaultExport, locateName, type SourceFile } from '../options/locate-key.js';

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

  /** Reports that there is no handler. */
  noHandler(want: string): void {
    const { file } = this.#where;
    const location = locateDefaultExport(this.#where);
    this.add(runtimeErrors.E_NO_HANDLER({ file, want }, { location }));
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

  /** Reports the keys that are not in `known`. `setting` is the one that they belong to. */
  unknownKeys(keys: readonly string[], known: readonly string[], setting?: string): void {
    const { file } = this.#where;
    for (const name of keys.filter((each) => !known.includes(each))) {
      const key = setting === undefined ? name : `${setting}.${name}`;
      const details = { file, key, meant: didYouMean(name, known), known };
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
