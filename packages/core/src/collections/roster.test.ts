import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Roster, type Member } from './roster.js';

interface Named extends Member {
  readonly name: number;
}

const named = (name: number): Named => ({ name, place: -1 });
const names = (roster: Roster<Named>): number[] => roster.all().map(({ name }) => name);

describe('Roster', () => {
  it('contains the members that were added and not removed', () => {
    const roster = new Roster<Named>();
    const [one, two, three] = [named(1), named(2), named(3)];
    for (const each of [one, two, three]) roster.add(each);
    roster.delete(one);
    expect(new Set(names(roster))).toEqual(new Set([2, 3]));
    roster.delete(three);
    roster.delete(two);
    expect([roster.size, names(roster)]).toEqual([0, []]);
  });

  it('can be left while it is gone through', () => {
    const roster = new Roster<Named>();
    for (let name = 0; name < 5; name += 1) roster.add(named(name));
    const seen: number[] = [];
    for (const each of roster.all()) {
      seen.push(each.name);
      roster.delete(each);
    }
    expect([seen, roster.size]).toEqual([[0, 1, 2, 3, 4], 0]);
  });

  it('agrees with a Set, whatever the order of coming and going', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20)), (changes) => {
        const roster = new Roster<Named>();
        const members = Array.from({ length: 21 }, (_value, name) => named(name));
        const present = new Set<number>();
        for (const name of changes) {
          const member = members[name] ?? named(name);
          if (present.delete(name)) roster.delete(member);
          else {
            present.add(name);
            roster.add(member);
          }
          expect(new Set(names(roster))).toEqual(present);
          expect(roster.size).toBe(present.size);
        }
      }),
    );
  });
});
