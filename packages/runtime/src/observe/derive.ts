/** Functions that create some members of an object from a source, such as a run. */
type Members<Base, Source> = { readonly [Name in keyof Base]?: (source: Source) => Base[Name] };

/**
 * Returns a function that creates objects with the members of an object, of which some are created from a source whenever they are
 * read. Creating one takes a fraction of the time of a proxy or of a copy: a bot does so for each run that it records.
 */
export function derive<Base extends object, Source>(
  base: Base,
  members: Members<Base, Source>,
): (source: Source) => Base {
  class Derived {
    readonly #source: Source;

    constructor(source: Source) {
      this.#source = source;
    }

    static {
      Object.setPrototypeOf(this.prototype, base);
      for (const key in members) {
        // A lookup at each read would add a seventh to the cost of a record.
        const create = members[key];
        const get = function (this: Derived): unknown {
          return create?.(this.#source);
        };
        Object.defineProperty(this.prototype, key, { get, enumerable: true });
      }
    }
  }
  // The prototype has all members of the object.
  return (source) => new Derived(source) as unknown as Base;
}
