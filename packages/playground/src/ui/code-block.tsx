import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { SourceText } from './source-text.js';

interface CodeBlockProps {
  readonly name: string;
  readonly text: string;
}

/** Shows monospaced text. Tab stops at it only if it can be scrolled. */
export function CodeBlock({ name, text }: CodeBlockProps) {
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
