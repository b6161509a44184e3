/** Returns the name, with a number before its extension if it is one of `names`: `image-2.png`. */
export function uniqueFileName(name: string, names: readonly string[]): string {
  if (!names.includes(name)) return name;
  const dot = name.lastIndexOf('.');
  const end = dot > 0 ? dot : name.length;
  for (let number = 2; ; number += 1) {
    const tried = `${name.slice(0, end)}-${number}${name.slice(end)}`;
    if (!names.includes(tried)) return tried;
  }
}
