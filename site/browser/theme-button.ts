const THEMES: readonly string[] = ['system', 'light', 'dark'];

/** Shows the button that changes the theme, and keeps the choice for the dashboard too. */
export function startThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('button.theme');
  if (button === null) return;
  const root = document.documentElement;
  const show = () => {
    button.textContent = `Theme: ${root.dataset.theme}`;
  };
  button.addEventListener('click', () => {
    const current = THEMES.indexOf(root.dataset.theme ?? '');
    const next = THEMES[(current + 1) % THEMES.length] ?? 'system';
    root.dataset.theme = next;
    localStorage.setItem('mintscope-theme', next);
    show();
  });
  show();
  button.hidden = false;
}
