/** The entry that passes on the complete public face of the runtime: a second list of it would only repeat the first. */
const ALLOWED = { file: /(^|\/)packages\/virgule\/src\/index\.ts$/, from: '@virgule/runtime' };

/** Refuses `export *`, which hides the names that an entry exports. `export * as name` is allowed. */
export const noExportStar = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    ExportAllDeclaration(node) {
      if (node.exported !== null) return;
      const file = context.filename.replaceAll('\\', '/');
      if (ALLOWED.file.test(file) && node.source.value === ALLOWED.from) return;
      context.report({ node, message: 'export each name explicitly' });
    },
  }),
};
