import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { session } from '../api/session-state.ts';
import { endSession } from '../state/session.ts';
import { setTheme, type Theme, theme } from '../state/theme.ts';
import { MenuIcon } from './icons.tsx';
import { SearchBox } from './search-box.tsx';
import { StatusLine } from './status-line.tsx';

interface NavigationLink {
  readonly href: string;
  readonly title: string;
}

/** The frame of all pages: navigation, search, theme, the page, and the status line below it. */
export function AppShell({
  navigation,
  current,
  children,
}: {
  readonly navigation: readonly NavigationLink[];
  /** `href` of the shown page. */
  readonly current: string | null;
  readonly children: ComponentChildren;
}) {
  const [isMenuOpen, setMenuOpen] = useState(false);
  return (
    <div class="shell">
      <a class="skip-link" href="#content">
        Skip to the content
      </a>
      <header class="top-bar">
        <a class="brand" href="/market">
          Mintscope
        </a>
        <button
          type="button"
          class="icon-button menu-button"
          aria-label="Menu"
          aria-expanded={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <MenuIcon />
        </button>
        <nav aria-label="Pages" class={isMenuOpen ? 'navigation open' : 'navigation'}>
          {navigation.map(({ href, title }) => (
            <a
              key={href}
              href={href}
              aria-current={href === current ? 'page' : undefined}
              onClick={() => setMenuOpen(false)}
            >
              {title}
            </a>
          ))}
          <a href="/docs/">API</a>
        </nav>
        {session.value === 'open' && <SearchBox />}
        <ThemeSelect />
        {session.value === 'open' && (
          <button type="button" class="link-button" onClick={() => void endSession()}>
            Log out
          </button>
        )}
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <StatusLine />
    </div>
  );
}

const THEMES = ['system', 'light', 'dark'] as const satisfies readonly Theme[];

function ThemeSelect() {
  return (
    <select
      class="theme-select"
      aria-label="Theme"
      value={theme.value}
      onChange={(event) => setTheme(event.currentTarget.value as Theme)}
    >
      {THEMES.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
