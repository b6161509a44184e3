/** Three dots that say that something goes on. They stand still for those who ask for less motion. */
export function Dots() {
  return (
    <span class="dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
