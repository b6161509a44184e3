/** Converts a name: `playNext` and `PlayNext` become `play-next`, `HTTPStatus` becomes `http-status`. */
export function kebabCase(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
