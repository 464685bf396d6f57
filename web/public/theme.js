// Loaded before the style, so that the page is never shown in the other theme (src/state/theme.ts).
const stored = localStorage.getItem('mintscope-theme');
document.documentElement.dataset.theme =
  stored === 'light' || stored === 'dark' ? stored : 'system';
