/** Shows a custom emoji. The element around it names it. */
export function EmojiImage({ url }: { readonly url: string }) {
  return <img class="emoji-image" src={url} alt="" />;
}
