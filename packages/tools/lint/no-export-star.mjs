/**
 * The entry that passes on the complete public face of the runtime, the two of the client with their common names, and the
 * internal ones that pass on all files of a folder of core: a second list of these names would only repeat the first.
 */
const ALLOWED = [
  { file: /(^|\/)packages\/virgule\/src\/index\.ts$/, from: /^@virgule\/runtime$/ },
  {
    file: /(^|\/)packages\/client\/src\/(rest|gateway)\.ts$/,
    from: /^\.\/options\/shared-exports\.js$/,
  },
  { file: /(^|\/)packages\/core\/src\/protocol\.ts$/, from: /^\.\/protocol\// },
  { file: /(^|\/)packages\/core\/src\/simulator-api\.ts$/, from: /^\.\/simulator-api\// },
];

/** Refuses `export *`, which hides the names that an entry exports. `export * as name` is allowed. */
export const noExportStar = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    ExportAllDeclaration(node) {
      if (node.exported !== null) return;
      const file = context.filename.replaceAll('\\', '/');
      const { value: source } = node.source;
      if (ALLOWED.some((allowed) => allowed.file.test(file) && allowed.from.test(source))) return;
      context.report({ node, message: 'export each name explicitly' });
    },
  }),
};
