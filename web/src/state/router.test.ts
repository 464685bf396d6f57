import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

/** Stands for the address and the history of a browser. */
class FakeBrowser {
  readonly entries = ['/market?order=newest'];
  index = 0;
  readonly events = new EventTarget();
  scrolls = 0;

  get url(): URL {
    return new URL(this.entries[this.index] ?? '/', 'http://service:8080');
  }

  push(to: string): void {
    this.entries.splice(this.index + 1, Number.POSITIVE_INFINITY, to);
    this.index++;
  }

  replace(to: string): void {
    this.entries[this.index] = to;
  }

  go(by: number): void {
    this.index += by;
    this.events.dispatchEvent(new Event('popstate'));
  }
}

let browser: FakeBrowser;

async function openRouter() {
  vi.resetModules();
  return await import('./router.ts');
}

beforeEach(() => {
  browser = new FakeBrowser();
  vi.stubGlobal('location', {
    get pathname() {
      return browser.url.pathname;
    },
    get search() {
      return browser.url.search;
    },
  });
  vi.stubGlobal('history', {
    pushState: (_: unknown, __: string, to: string) => browser.push(to),
    replaceState: (_: unknown, __: string, to: string) => browser.replace(to),
  });
  vi.stubGlobal('addEventListener', browser.events.addEventListener.bind(browser.events));
  vi.stubGlobal('scrollTo', () => browser.scrolls++);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the address of the page', () => {
  test('is shown from the start, and follows steps back and forward', async () => {
    const { path, query, navigate } = await openRouter();
    expect([path.value, query.value.get('order')]).toEqual(['/market', 'newest']);
    navigate('/token/abc?tab=holders');
    expect([path.value, query.value.get('tab'), browser.scrolls]).toEqual([
      '/token/abc',
      'holders',
      1,
    ]);
    browser.go(-1);
    expect([path.value, query.value.get('order')]).toEqual(['/market', 'newest']);
    browser.go(1);
    expect(path.value).toBe('/token/abc');
  });

  test('carries changes of a view without an entry in the history, unless one is wanted', async () => {
    const { query, setQuery } = await openRouter();
    setQuery({ q: 'a b&c', order: null });
    expect(browser.entries).toEqual(['/market?q=a+b%26c']);
    expect(query.value.get('q')).toBe('a b&c');
    setQuery({ page: '2' }, { isEntry: true });
    expect(browser.entries).toEqual(['/market?q=a+b%26c', '/market?q=a+b%26c&page=2']);
    setQuery({ page: null, q: null });
    expect(browser.entries.at(-1)).toBe('/market');
  });

  test('gives one of the choices whatever it says', async () => {
    const { choiceInQuery, setQuery } = await openRouter();
    expect(choiceInQuery('order', ['trending', 'newest'])).toBe('newest');
    setQuery({ order: '__proto__' });
    expect(choiceInQuery('order', ['trending', 'newest'])).toBe('trending');
    setQuery({ order: null });
    expect(choiceInQuery('order', ['trending', 'newest'])).toBe('trending');
  });
});
