import { computed, signal } from '@preact/signals';

interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const place = signal<Place>(readPlace());

/** Path of the page's address, as `/token/abc`. */
export const path = computed(() => place.value.path);

/** Query of the page's address: the state of a view, so that its address can be shared. */
export const query = computed(() => place.value.query);

function readPlace(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

addEventListener('popstate', () => {
  place.value = readPlace();
});

/** Shows another page, as `navigate('/token/abc?tab=holders')`, with an entry in the history. */
export function navigate(to: string): void {
  history.pushState(null, '', to);
  place.value = readPlace();
  scrollTo(0, 0);
}

/**
 * Changes parameters of the query; null removes one. Without a new entry in the history, unless
 * `isEntry`.
 */
export function setQuery(
  changes: Readonly<Record<string, string | null>>,
  { isEntry = false }: { readonly isEntry?: boolean } = {},
): void {
  const next = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  const to = next.size === 0 ? location.pathname : `${location.pathname}?${next}`;
  if (isEntry) history.pushState(null, '', to);
  else history.replaceState(null, '', to);
  place.value = readPlace();
}

/** A parameter of the query that is one of the choices; otherwise the first choice. */
export function choiceInQuery<Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const given = query.value.get(name);
  return choices.find((choice) => choice === given) ?? choices[0];
}

/** Makes links of this page to its other pages change the view without loading the page again. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || !isPlainClick(event) || !isOfDashboard(link)) return;
    event.preventDefault();
    if (link.hash !== '' && link.pathname === location.pathname) {
      const target = document.getElementById(link.hash.slice(1));
      target?.focus({ preventScroll: true });
      target?.scrollIntoView();
    } else navigate(`${link.pathname}${link.search}`);
  });
}

/** Not one that opens another tab or a menu, or that was handled. */
function isPlainClick(event: MouseEvent): boolean {
  const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  return !event.defaultPrevented && event.button === 0 && !hasModifier;
}

/** Paths of the service that are no pages of the dashboard. */
const OTHER_PATHS = /^\/(docs|v1|openapi\.json|readyz|livez|metrics)(\/|$)/;

function isOfDashboard(link: HTMLAnchorElement): boolean {
  const isHere = link.origin === location.origin && link.target === '';
  return isHere && !link.hasAttribute('download') && !OTHER_PATHS.test(link.pathname);
}
