// Runs before the first paint, in a separate file because the page allows no inline scripts.
// The key is the same as in src/app/theme.ts.
(() => {
  try {
    const theme = localStorage.getItem('virgule.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // The browser denies access to its storage: the theme of the system applies.
  }
})();
