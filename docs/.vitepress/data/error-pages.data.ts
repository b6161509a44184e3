import { createContentLoader } from 'vitepress';

export interface ErrorGroup {
  readonly name: string;
  readonly pages: readonly {
    readonly code: string;
    readonly about: string;
    readonly url: string;
  }[];
}

declare const data: readonly ErrorGroup[];
export { data };

/** The pages of this folder by group, both in alphabetical order. */
export default createContentLoader('errors/e_*.md', {
  transform(contents): readonly ErrorGroup[] {
    const groups = new Map<string, ErrorGroup['pages'][number][]>();
    for (const { frontmatter, url } of contents) {
      const pages = groups.get(frontmatter.group) ?? [];
      pages.push({ code: frontmatter.title, about: frontmatter.description, url });
      groups.set(frontmatter.group, pages);
    }
    return [...groups]
      .toSorted(([left], [right]) => left.localeCompare(right))
      .map(([name, pages]) => ({
        name,
        pages: pages.toSorted((left, right) => left.code.localeCompare(right.code)),
      }));
  },
});
