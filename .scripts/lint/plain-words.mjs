import { repositoryPath } from './repository-path.mjs';
import { plainWordsHeld, plainWordsTests } from './rules.mjs';
import { privateWords } from './words.mjs';

/** Strings for users have several words; names and enum values have one. */
const isSentence = (text) => /\s/.test(text.trim());

/** Refuses private words in messages and doc comments (`words.mjs`). */
export const plainWords = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = repositoryPath(context.filename);
    if (file === undefined || !plainWordsHeld.test(file.path) || plainWordsTests.test(file.path))
      return {};
    const check = (node, text) => {
      for (const { found, write } of privateWords(text))
        context.report({ node, message: `"${found}" is not a word of the field: write ${write}` });
    };
    return {
      Literal(node) {
        if (typeof node.value === 'string' && isSentence(node.value)) check(node, node.value);
      },
      TemplateElement(node) {
        check(node, node.value.cooked ?? '');
      },
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (comment.type === 'Block' && comment.value.startsWith('*'))
            check(comment, comment.value);
        }
      },
    };
  },
};
