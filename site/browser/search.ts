import MiniSearch, { type SearchResult } from 'minisearch';
import { SEARCH_OPTIONS, type SearchEntry } from './search-options.ts';

const RESULTS_MAX = 12;

interface SearchParts {
  readonly input: HTMLInputElement;
  readonly box: HTMLElement;
  readonly status: HTMLElement;
  readonly list: HTMLElement;
}

/** Starts the search: its index is loaded when the field is used for the first time. */
export function startSearch(): void {
  const parts = findParts();
  if (parts === null) return;
  const { input, box } = parts;
  let index: Promise<MiniSearch<SearchEntry>> | null = null;
  let latest = '';
  const update = async (): Promise<void> => {
    const query = input.value.trim();
    latest = query;
    if (query === '') {
      box.hidden = true;
      return;
    }
    index ??= loadIndex();
    try {
      const found = (await index).search(query);
      if (query === latest) show(parts, found);
    } catch {
      index = null;
      showStatus(parts, 'The search index could not be loaded. Is the service running?');
    }
  };
  input.addEventListener('input', () => void update());
  addKeys(parts);
}

function findParts(): SearchParts | null {
  const search = document.querySelector('.search');
  const input = search?.querySelector('input');
  const box = search?.querySelector<HTMLElement>('#results');
  const status = box?.querySelector<HTMLElement>('[role=status]');
  const list = box?.querySelector('ul');
  if (!input || !box || !status || !list) return null;
  return { input, box, status, list };
}

async function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  const response = await fetch(document.documentElement.dataset.searchIndex ?? '');
  if (!response.ok) throw new Error(`${response.status}`);
  return MiniSearch.loadJSON<SearchEntry>(await response.text(), SEARCH_OPTIONS);
}

function show(parts: SearchParts, found: readonly SearchResult[]): void {
  const shown = found.slice(0, RESULTS_MAX);
  const count = found.length === 1 ? '1 section' : `${found.length} sections`;
  showStatus(parts, found.length === 0 ? 'Nothing found.' : count);
  parts.list.replaceChildren(...shown.map(toItem));
}

function showStatus({ box, status, list }: SearchParts, text: string): void {
  status.textContent = text;
  list.replaceChildren();
  box.hidden = false;
}

/** Text only: nothing of the index is taken as HTML. */
function toItem({ id, title, page, excerpt }: SearchResult): HTMLLIElement {
  const link = document.createElement('a');
  link.href = String(id);
  for (const [name, text] of [
    ['strong', title],
    ['span', title === page ? '' : page],
    ['small', excerpt],
  ]) {
    const part = document.createElement(name ?? 'span');
    part.textContent = String(text ?? '');
    link.append(part);
  }
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** `/` leads to the field, arrows through the results, Escape closes them. */
function addKeys(parts: SearchParts): void {
  const { input, box, list } = parts;
  document.addEventListener('keydown', (event) => {
    const isTyping = document.activeElement instanceof HTMLInputElement;
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    }
    if (!box.hidden) moveInResults(event, parts);
  });
  // A link to a place on the same page leaves the page as it is.
  list.addEventListener('click', () => {
    box.hidden = true;
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !box.contains(target) && target !== input) box.hidden = true;
  });
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function moveInResults(event: KeyboardEvent, { input, box, list }: SearchParts): void {
  if (event.key === 'Escape') {
    box.hidden = true;
    input.focus();
    return;
  }
  const stops: HTMLElement[] = [input, ...list.querySelectorAll('a')];
  const current = stops.indexOf(document.activeElement as HTMLElement);
  const step = STEPS[event.key];
  if (step === undefined || current < 0) return;
  event.preventDefault();
  stops[(current + step + stops.length) % stops.length]?.focus();
}
