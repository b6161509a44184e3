import type { SimProblem } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import { problemKey, problemsTitle } from '../state/problems.js';
import { store } from '../app/page.js';
import { DocsLink, SourceFrame, SourceText } from './code-block.js';
import { Icon, TextButton } from './controls.js';

function Problem({ problem }: { readonly problem: SimProblem }) {
  return (
    <li class="problem">
      <p class="problem-message">{problem.message}</p>
      <p class="flow note">
        {problem.where !== undefined && (
          <code>
            <SourceText text={problem.where} />
          </code>
        )}
        <DocsLink code={problem.code} />
      </p>
      {problem.frame !== undefined && <SourceFrame text={problem.frame} />}
      {problem.hint !== undefined && (
        <p class="problem-hint">
          <strong>Try</strong> {problem.hint}
        </p>
      )}
    </li>
  );
}

/** Shows problems to the developer of the bot, such as a file that does not compile, until they are fixed. */
export function ProblemPanel() {
  const { problems, commands } = store.world.value;
  const isCollapsed = store.areProblemsCollapsed.value;
  if (problems.length === 0) return null;
  return (
    <section class="problems" aria-label="Problems">
      <div class="problems-head">
        <Icon name="alert" />
        <h3>{isCollapsed ? problemsTitle(problems) : countOf(problems.length, 'problem')}</h3>
        {commands.length > 0 && <span class="note">Last working version still answers.</span>}
        <span class="spacer" />
        <TextButton
          aria-expanded={!isCollapsed}
          onClick={() => (store.areProblemsCollapsed.value = !isCollapsed)}
        >
          {isCollapsed ? 'Show' : 'Hide'} <kbd>F8</kbd>
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
