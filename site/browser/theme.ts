// Runs before the style is applied, so that the page is never shown in the other theme. The choice is
// that of the dashboard (web/src/state/theme.ts).
const stored = localStorage.getItem('mintscope-theme');
document.documentElement.dataset.theme =
  stored === 'light' || stored === 'dark' ? stored : 'system';
