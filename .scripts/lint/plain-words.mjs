import { repositoryPath } from './repository-path.mjs';
import { plainWordsHeld, plainWordsTests } from './rules.mjs';
import { privateWords } from './words.mjs';

/** Strings that people read have more than one word; names and enum values have none of their own. */
const isSentence = (text) => /\s/.test(text.trim());

/** Messages, names of union members and doc comments use the words of the field (`words.mjs`). */
export const plainWords = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = repositoryPath(context.filename);
    if (file === undefined || !plainWordsHeld.test(file.path) || plainWordsTests.test(file.path))
      return {};
    const check = (node, text) => {
      for (const { found, write } of privateWords(text))
        context.report({ node, message: `"${found}" is a word of our own: write ${write}` });
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
