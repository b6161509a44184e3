import type { SimProblem } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import { problemKey, problemsTitle } from '../state/problems.js';
import { store } from '../app/page.js';
import { SourceText } from './code-block.js';
import { Icon, TextButton } from './controls.js';

function Frame({ text }: { readonly text: string }) {
  return (
    <pre class="frame" tabIndex={0} aria-label="Source">
      {text.split('\n').map((line, index) => (
        <span
          key={index}
          class={/^\s*>/.test(line) ? 'frame-line frame-line-marked' : 'frame-line'}
        >
          {line}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

function Problem({ problem }: { readonly problem: SimProblem }) {
  return (
    <li class="problem">
      <p class="problem-message">{problem.message}</p>
      <p class="problem-place">
        {problem.where !== undefined && (
          <code>
            <SourceText text={problem.where} />
          </code>
        )}
        <code>{problem.code}</code>
      </p>
      {problem.frame !== undefined && <Frame text={problem.frame} />}
      {problem.hint !== undefined && (
        <p class="problem-hint">
          <strong>Hint</strong> {problem.hint}
        </p>
      )}
    </li>
  );
}

/** Shows problems to the developer of the bot, such as a file that does not compile, until they are fixed. */
export function ProblemPanel() {
  const { problems } = store.world.value;
  const isCollapsed = store.areProblemsCollapsed.value;
  if (problems.length === 0) return null;
  return (
    <section class="problems" aria-label="Problems" data-collapsed={isCollapsed}>
      <div class="problems-head">
        <Icon name="alert" />
        <h3>{isCollapsed ? problemsTitle(problems) : countOf(problems.length, 'problem')}</h3>
        <TextButton
          aria-expanded={!isCollapsed}
          onClick={() => (store.areProblemsCollapsed.value = !isCollapsed)}
        >
          {isCollapsed ? 'Show' : 'Hide'}
          {!isCollapsed && <kbd>Esc</kbd>}
        </TextButton>
      </div>
      {!isCollapsed && (
        <ul>
          {problems.map((problem) => (
            <Problem key={problemKey(problem)} problem={problem} />
          ))}
        </ul>
      )}
    </section>
  );
}
