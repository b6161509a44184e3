import { repositoryPath } from './repository-path.mjs';
import { messagesHeld, plainNamesHeld, plainWordsHeld } from './rules.mjs';
import { privateWords, sentenceForms } from './words.mjs';

/** Strings for users have several words; names and enum values have one. */
const isSentence = (text) => /\s/.test(text.trim());

/** Quotes in a comment: titles of other documents, and code. */
const QUOTED = /"[^"\n]*"|`[^`\n]*`/g;

const TESTS = new Set(['describe', 'it', 'test']);

/** Returns the name of the function that is called: `it` for `it.each(rows)(…)`. */
function rootOf(callee) {
  switch (callee?.type) {
    case 'MemberExpression':
      return rootOf(callee.object);
    case 'CallExpression':
      return rootOf(callee.callee);
    case 'TaggedTemplateExpression':
      return rootOf(callee.tag);
    default:
      return callee?.name;
  }
}

/** Returns the words of an identifier: `MAX_OPEN` and `maxOpen` are `max open`. */
const wordsOf = (name) => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');

/** Refuses private words in messages, comments, identifiers and names of tests (`words.mjs`). */
export const plainWords = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = repositoryPath(context.filename);
    if (file === undefined) return {};
    const hasMessages = messagesHeld.test(file.path);
    const isHeld = plainWordsHeld.test(file.path);
    const hasNames = plainNamesHeld.test(file.path);
    /** Names that were checked: a file repeats most of them. */
    const seen = new Set();
    const check = (node, text) => {
      for (const { found, write } of privateWords(text))
        context.report({ node, message: `"${found}" is not a word of the field: write ${write}` });
    };
    const checkSentence = (node, text) => {
      // Doc comments of tests are only held to the first form.
      const forms = hasMessages ? sentenceForms : sentenceForms.slice(0, 1);
      for (const { found, write } of privateWords(text, forms))
        context.report({
          node,
          message: `"${found.trim()}" is unclear in a comment: write ${write}`,
        });
    };
    const checkName = (node) => {
      if (!hasNames || seen.has(node.name)) return;
      seen.add(node.name);
      check(node, wordsOf(node.name));
    };
    return {
      Identifier: checkName,
      PrivateIdentifier: checkName,
      Literal(node) {
        if (hasMessages && typeof node.value === 'string' && isSentence(node.value))
          check(node, node.value);
      },
      TemplateElement(node) {
        if (hasMessages) check(node, node.value.cooked ?? '');
      },
      CallExpression({ callee, arguments: [title] }) {
        if (!isHeld || hasMessages || !TESTS.has(rootOf(callee))) return;
        if (title?.type === 'Literal' && typeof title.value === 'string') check(title, title.value);
        for (const part of title?.type === 'TemplateLiteral' ? title.quasis : [])
          check(part, part.value.cooked ?? '');
      },
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const isDoc = comment.type === 'Block' && comment.value.startsWith('*');
          const text = comment.value.replaceAll(QUOTED, '');
          if (isHeld) check(comment, text);
          if (isDoc) checkSentence(comment, text);
        }
      },
    };
  },
};
