/** Shows three dots for work in progress. They are not animated if the user prefers reduced motion. */
export function Dots() {
  return (
    <span class="dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
