// Runs before the first paint, as a file of its own because the page allows no inline scripts.
// The key is the one of src/app/theme.ts.
(() => {
  try {
    const theme = localStorage.getItem('virgule.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is switched off: the system's theme holds.
  }
})();
