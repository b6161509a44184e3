/** Refuses `export *`, which hides the names that an entry exports. `export * as name` is allowed. */
export const noExportStar = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    ExportAllDeclaration(node) {
      if (node.exported === null) context.report({ node, message: 'export each name explicitly' });
    },
  }),
};
