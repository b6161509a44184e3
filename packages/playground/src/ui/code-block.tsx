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

/** Keywords, strings, numbers and comments, each as one group. */
const TOKENS =
  /\b(async|await|break|case|catch|class|const|default|else|export|extends|false|for|from|function|if|import|interface|let|new|null|of|return|switch|this|throw|true|try|type|typeof|undefined|void|while)\b|('[^'\n]*'|"[^"\n]*"|`[^`]*`)|\b(\d[\d_.]*)\b|(\/\/.*)/g;
const COLORS = ['keyword', 'string', 'number', 'comment'] as const;

/** Shows code with colors. */
function Code({ text }: { readonly text: string }) {
  let end = 0;
  const parts = [...text.matchAll(TOKENS)].flatMap(({ 0: token, index, ...groups }) => {
    const before = text.slice(end, index);
    end = index + token.length;
    const color = COLORS.find((_, at) => groups[at + 1] !== undefined);
    return [
      before,
      <span key={index} class={`code-${color}`}>
        {token}
      </span>,
    ];
  });
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
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
