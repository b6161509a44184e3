import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { settings } from '../app/page.js';

/** Change of the size with an arrow key, in CSS pixels. */
const STEP = 16;

interface SplitterProps {
  /** Name of the pane, and of the property of the page with its size. */
  readonly name: 'insp' | 'detail';
  readonly label: string;
  readonly max: number;
  /** `true` for a pane below the splitter instead of at its right. */
  readonly isRow?: boolean;
}

/** Changes the size of the pane that it is in. A double click resets the size. */
export function Splitter({ name, label, max, isRow = false }: SplitterProps) {
  const ref = useRef<HTMLDivElement>(null);
  const key = `virgule.${name}`;
  const size = useSignal(settings.getItem(key));
  const min = isRow ? 96 : 360;
  const paneBox = () => ref.current?.parentElement?.getBoundingClientRect() ?? new DOMRect();
  const measure = () => Math.round(isRow ? paneBox().height : paneBox().width);
  const resize = (px: number) => {
    size.value = String(Math.round(Math.min(Math.max(px, min), max)));
    settings.setItem(key, size.value);
  };
  useLayoutEffect(() => {
    document.documentElement.style.setProperty(`--${name}`, size.value && `${size.value}px`);
    ref.current?.setAttribute('aria-valuenow', String(measure()));
  }, [size.value]);
  const sizes = (): Readonly<Record<string, number>> => ({
    [isRow ? 'ArrowUp' : 'ArrowLeft']: measure() + STEP,
    [isRow ? 'ArrowDown' : 'ArrowRight']: measure() - STEP,
    Home: min,
    End: max,
  });
  return (
    <div
      ref={ref}
      class={isRow ? 'splitter splitter-row' : 'splitter'}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={isRow ? 'horizontal' : 'vertical'}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={(event) => {
        const next = sizes()[event.key];
        if (next === undefined) return;
        event.preventDefault();
        resize(next);
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientX, clientY }) => {
        if (!currentTarget.hasPointerCapture(pointerId)) return;
        resize(isRow ? paneBox().bottom - clientY : paneBox().right - clientX);
      }}
      onDblClick={() => {
        settings.removeItem(key);
        size.value = null;
      }}
    />
  );
}
