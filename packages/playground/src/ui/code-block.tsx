import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
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

/** Shows monospaced text. Tab stops at the text only if it can be scrolled. */
export function CodeBlock({ name, text }: { readonly name: string; readonly text: string }) {
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
      <code>
        <SourceText text={text} />
      </code>
    </pre>
  );
}
