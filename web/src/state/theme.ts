import { computed, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const STORED = 'mintscope-theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(systemIsDark.matches);
systemIsDark.addEventListener('change', ({ matches }) => {
  isSystemDark.value = matches;
});

/** The choice of the person. Stored in this browser; `setTheme` changes it. */
export const theme = signal<Theme>(readTheme());

/** Whether the page is dark now: for charts, which take colours from the style when this changes. */
export const isDark = computed(() =>
  theme.value === 'system' ? isSystemDark.value : theme.value === 'dark',
);

export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  localStorage.setItem(STORED, chosen);
  applyTheme();
}

/** Sets the attribute that the style reads. The system's theme needs none. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = theme.value;
}

function readTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
