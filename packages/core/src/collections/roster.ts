/** Something that is in a roster, and knows where. */
export interface Member {
  /** Kept by the roster. */
  place: number;
}

/**
 * All current members. Adding and removing leaves nothing behind: a Set grows a new table every
 * few hundred changes, and what was in the old ones outlives several collections of garbage.
 */
export class Roster<Each extends Member> {
  readonly #members: Each[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: Each): void {
    member.place = this.#members.length;
    this.#members.push(member);
  }

  /** Removes an item. Called once for each `add`. */
  delete(member: Each): void {
    const last = this.#members.pop();
    if (last === undefined || last === member) return;
    this.#members[member.place] = last;
    last.place = member.place;
  }

  /** Returns the current members, including those that are removed meanwhile. */
  all(): readonly Each[] {
    return [...this.#members];
  }
}
