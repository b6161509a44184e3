import { repositoryPath } from './repository-path.mjs';
import { messagesHeld } from './rules.mjs';

const LEVELS = new Set(['debug', 'info', 'warn', 'error']);

/** A capitalized word: not an acronym such as GET, and not an identifier such as WebSocket or Node.js. */
const CAPITALIZED = /^[A-Z][a-z'’]*(?![\w.])/;

/**
 * The string literals and template literals that an expression may result in, with the known text at their
 * start and end. The end of a template that ends with a placeholder is unknown, as is any computed text.
 *
 * @typedef {{ node: object, start: string | undefined, end: string | undefined }} Text
 * @returns {Text[]}
 */
function textsOf(node) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [{ node, start: node.value, end: node.value }] : [];
    case 'TemplateLiteral': {
      const first = node.quasis[0]?.value.cooked || undefined;
      const last = node.quasis.at(-1)?.value.cooked || undefined;
      return [{ node, start: first, end: last }];
    }
    case 'ConditionalExpression':
      return [...textsOf(node.consequent), ...textsOf(node.alternate)];
    case 'LogicalExpression':
      return [...textsOf(node.left), ...textsOf(node.right)];
    case 'BinaryExpression': {
      const starts = textsOf(node.left).map((text) => ({ ...text, end: undefined }));
      const ends = textsOf(node.right).map((text) => ({ ...text, start: undefined }));
      return [...starts, ...ends];
    }
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return textsOf(node.expression);
    default:
      return [];
  }
}

/** Returns the expressions that a function without inner functions may return. */
function returned(node) {
  if (node?.type !== 'ArrowFunctionExpression' && node?.type !== 'FunctionExpression') return [];
  if (node.body.type !== 'BlockStatement') return [node.body];
  const found = [];
  const visit = (statement) => {
    if (statement?.type === 'ReturnStatement') found.push(statement.argument);
    if (statement?.type === 'BlockStatement') statement.body.forEach(visit);
    if (statement?.type === 'IfStatement')
      [statement.consequent, statement.alternate].forEach(visit);
    if (statement?.type === 'SwitchStatement')
      statement.cases.forEach((branch) => branch.consequent.forEach(visit));
  };
  visit(node.body);
  return found;
}

const nameOf = (node) => node?.name ?? node?.value;

/** Returns whether an expression is a logger: `log`, `this.#log`, `options.log`. */
function isLog(node) {
  if (node?.type === 'ChainExpression') return isLog(node.expression);
  if (node?.type === 'Identifier') return node.name === 'log';
  return node?.type === 'MemberExpression' && nameOf(node.property) === 'log';
}

/** Returns the arrays of message and hint that an expression may be: that of a function, or of one branch. */
function pairsOf(node) {
  switch (node?.type) {
    case 'ArrayExpression':
      return [node];
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(pairsOf);
    case 'ObjectExpression':
      return node.properties.flatMap(({ value }) => pairsOf(value));
    case 'CallExpression':
      return pairsOf(node.arguments[0]);
    default:
      return returned(node).flatMap(pairsOf);
  }
}

/**
 * Checks the form of messages: log messages start in lower case and have no full stop; messages and hints of
 * errors end with a full stop.
 */
export const messageForm = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = repositoryPath(context.filename);
    if (file === undefined || !messagesHeld.test(file.path)) return {};
    const report = (node, message) => context.report({ node, message });

    function checkLog({ callee, arguments: [first, second] }) {
      if (callee.type !== 'MemberExpression' || !LEVELS.has(nameOf(callee.property))) return;
      if (!isLog(callee.object)) return;
      const texts = textsOf(first);
      for (const { node, start, end } of texts.length > 0 ? texts : textsOf(second)) {
        if (start !== undefined && CAPITALIZED.test(start))
          report(node, 'a log message starts in lower case');
        if (end?.endsWith('.')) report(node, 'a log message has no full stop at its end');
      }
    }

    function checkErrors({ callee, arguments: [table] }) {
      if (nameOf(callee) !== 'defineErrors') return;
      for (const { elements } of pairsOf(table)) {
        for (const [index, text] of elements.entries()) {
          for (const { node, end } of textsOf(text)) {
            const name = index === 0 ? 'message' : 'hint';
            if (end !== undefined && !/[.?]$/.test(end))
              report(node, `the ${name} of an error ends with a full stop or a question mark`);
          }
        }
      }
    }

    return {
      CallExpression(node) {
        checkLog(node);
        checkErrors(node);
      },
    };
  },
};
