/** An item of a roster, which knows its index. */
export interface Member {
  /** Index of the item; set by the roster. */
  place: number;
}

/** Members of a group, without garbage: a Set allocates a table every few hundred changes, which outlives collections. */
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

  /** Returns a copy of the current members, which later removals do not change. */
  all(): readonly Each[] {
    return [...this.#members];
  }
}
