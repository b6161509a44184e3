import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { docsUrlOf } from '@virgule/core/errors';
import { editorUrl, splitPlaces } from '../state/source-place.js';
import { store } from '../app/page.js';

/** Shows a text whose places in files of the bot open the editor, if the simulator has the address of an editor. */
export function SourceText({ text }: { readonly text: string }) {
  const template = store.world.value.editor;
  if (template === null) return <>{text}</>;
  return (
    <>
      {splitPlaces(text).map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          <a
            key={index}
            class="source-link"
            href={editorUrl(template, part)}
            title="Open in the editor"
          >
            {part.text}
          </a>
        ),
      )}
    </>
  );
}

/** A comment, string, number or keyword. */
const TOKEN =
  /(\/\/.*|'[^'\n]*'|"[^"\n]*"|`[^`]*`|\b\d[\d_.]*\b|\b(?:async|await|break|case|catch|class|const|default|else|export|extends|false|for|from|function|if|import|interface|let|new|null|of|return|switch|this|throw|true|try|type|typeof|undefined|void|while)\b)/;

function colorOf(token: string): string {
  if (token.startsWith('//')) return 'code-comment';
  if (/^\d/.test(token)) return 'code-number';
  return /^\w/.test(token) ? 'code-keyword' : 'code-string';
}

/** Shows code with colors. */
function Code({ text }: { readonly text: string }) {
  // Tokens are at the odd indexes.
  const parts = text.split(TOKEN).map((part, index) => {
    if (index % 2 === 0) return part;
    return (
      <span key={index} class={colorOf(part)}>
        {part}
      </span>
    );
  });
  return <>{parts}</>;
}

/** Shows lines of a file with their numbers; one of them is marked. */
export function SourceFrame({ text }: { readonly text: string }) {
  return (
    <>
      <pre class="frame" tabIndex={0} aria-label="Source">
        {text.split('\n').map((line, index) => (
          <span
            key={index}
            class={/^\s*>/.test(line) ? 'frame-line frame-line-marked' : 'frame-line'}
          >
            <Code text={line} />
            {'\n'}
          </span>
        ))}
      </pre>
      {store.world.value.editor === null && (
        <p class="note">
          No editor found: set <code>VIRGULE_EDITOR</code>.
        </p>
      )}
    </>
  );
}

/** Links to the page of an error in the documentation. */
export function DocsLink({ code }: { readonly code: string }) {
  return (
    <a href={docsUrlOf(code)} target="_blank" rel="noopener noreferrer">
      {code}
    </a>
  );
}

interface CodeBlockProps {
  readonly name: string;
  readonly text: string;
  /** Colors the text instead of linking its places. */
  readonly isCode?: boolean;
}

/** Shows monospaced text. Tab stops at the text only if it can be scrolled. */
export function CodeBlock({ name, text, isCode = false }: CodeBlockProps) {
  const ref = useRef<HTMLPreElement>(null);
  const scrolls = useSignal(false);
  useLayoutEffect(() => {
    const block = ref.current;
    scrolls.value = block !== null && block.scrollWidth > block.clientWidth;
  }, [text]);
  return (
    <pre
      ref={ref}
      tabIndex={scrolls.value ? 0 : undefined}
      role={scrolls.value ? 'region' : undefined}
      aria-label={scrolls.value ? name : undefined}
    >
      <code>{isCode ? <Code text={text} /> : <SourceText text={text} />}</code>
    </pre>
  );
}
