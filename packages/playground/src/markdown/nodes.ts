/** A piece of text within a line. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'bold' | 'italic'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly text: string }
  | { readonly kind: 'mention'; readonly of: 'user' | 'channel' | 'role'; readonly id: string };

/** A part of a message that consists of whole lines. */
export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'fence'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly children: readonly Inline[] }
  | {
      readonly kind: 'list';
      /** First number of a numbered list; null for a bulleted list. */
      readonly start: number | null;
      readonly items: readonly (readonly Inline[])[];
    };
