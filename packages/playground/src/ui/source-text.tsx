import { editorUrl, splitPlaces } from '../state/source-place.js';
import { useApp } from './app-context.js';

/** Shows a text whose places in files of the bot open the editor, if the simulator knows one. */
export function SourceText({ text }: { readonly text: string }) {
  const template = useApp().store.world.value.editor;
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
