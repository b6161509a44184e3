import type { SourcePlace } from './stack-traces.js';

/** The messages of V8 that repeat the code. */
const OF_COMPILED_CODE =
  /^(?:\(0 , )?import_\w+\.\S+ is not (?:a function|a constructor|iterable)|Cannot destructure .*import_\w+\./;

/**
 * Returns a message of V8 with the names of the source. In compiled code, `greet` is `import_greet.greet`, and the `z` of
 * `import * as z` is `import_zod.virgule:*`.
 */
export function withSourceNames(message: string, { text, line, column }: SourcePlace): string {
  if (!OF_COMPILED_CODE.test(message)) return message;
  const source = text.split('\n', line).at(-1) ?? '';
  const called = /^[\w$]+/.exec(source.slice(column - 1))?.[0];
  /** Returns what has a member, as the line spells it. */
  const ownerOf = (member: string): string | undefined =>
    [...source.matchAll(/([\w$]+)\s*\??\.\s*([\w$]+)/g)].find(([, , name]) => name === member)?.[1];
  return message
    .replaceAll(/\(0 , import_\w+\.(?:virgule:)?([\w$]+)\)/g, (_, name: string) => called ?? name)
    .replaceAll(
      /\bimport_\w+\.(?:virgule:)?([\w$]+|\*)\.([\w$]+)/g,
      (_, name: string, member: string) => `${ownerOf(member) ?? name}.${member}`,
    )
    .replaceAll(/\bimport_\w+\.(?:virgule:)?(?=\w)/g, '');
}
