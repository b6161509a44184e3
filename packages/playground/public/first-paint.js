// Applies the theme that src/app/theme.ts stores.
try {
  const theme = localStorage.getItem('virgule.theme');
  if (/^(light|dark)$/.test(theme)) document.documentElement.dataset.theme = theme;
} catch {
  // The browser denies access.
}
