import { CodeBlock } from './code-block.js';
import { useTabIndex } from './tab-stop.js';

interface RawCardProps {
  readonly title: string;
  readonly value: Readonly<Record<string, unknown>> | null;
}

/** Shows an object whose fields the Bot Interface does not specify, as JSON. */
export function RawCard({ title, value }: RawCardProps) {
  const tabIndex = useTabIndex();
  if (value === null) return null;
  return (
    <details class="raw-card">
      <summary tabIndex={tabIndex}>{title}</summary>
      <CodeBlock name={title} text={JSON.stringify(value, null, 2)} />
    </details>
  );
}
