/** `export *` hides what an entry promises: names are listed. `export * as name` lists one. */
export const noExportStar = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    ExportAllDeclaration(node) {
      if (node.exported === null) context.report({ node, message: 'export names one by one' });
    },
  }),
};
