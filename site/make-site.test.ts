import { globSync, readFileSync } from 'node:fs';
import MiniSearch from 'minisearch';
import { beforeAll, describe, expect, test } from 'vitest';
import { FIGURE_NAMES } from '../src/api/present/indicator-figures.ts';
import { SETTING_NAMES } from '../src/config/config.ts';
import { VERSION } from '../src/config/version.ts';
import { DECODERS } from '../src/decoders/registry.ts';
import { DETECTORS } from '../src/fraud/detect/registry.ts';
import { MODELS } from '../src/signals/registry.ts';
import { SEARCH_OPTIONS, type SearchEntry } from './browser/search-options.ts';
import type { OpenApi } from './cards/open-api.ts';
import { makeSite, type SiteFiles } from './make-site.ts';

const openApi = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenApi;
let files: SiteFiles;

/** Fails if a link of any page leads to nothing. */
beforeAll(async () => {
  const browserFiles = new Map(
    ['theme.js', 'site.js', 'site.css', 'icon.svg'].map((name) => [name, name]),
  );
  files = await makeSite({ root: '.', openApi, browserFiles });
});

const textAt = (url: string): string => String(files.get(url) ?? '');
const htmlPages = () =>
  [...files].filter(([, content]) => String(content).startsWith('<!doctype html>'));

describe('the documentation', () => {
  test('has a page with the card of every detector', () => {
    for (const { name: fraudType, severity, card } of DETECTORS) {
      const page = textAt(`/docs/detectors/${fraudType}.md`);
      expect(page).toContain(card.pattern);
      expect(page).toContain(`Severity ${severity} of 10`);
      for (const text of card.lookAlikes) expect(page).toContain(text);
      for (const [name, { value, reason }] of Object.entries(card.thresholds)) {
        expect(page, `${fraudType} ${name}`).toContain(reason);
        expect(page, `${fraudType} ${name}`).toContain(`${[value].flat().join(' to ')}`);
      }
    }
  });

  test('has a page with the card and every condition of each signal model', () => {
    for (const { name, card, parameters } of MODELS) {
      const page = textAt(`/docs/models/${name}.md`);
      for (const text of [card.pattern, card.rationale, ...card.lookAlikes]) {
        expect(page).toContain(text);
      }
      for (const [feature, { least, most, reason }] of Object.entries(parameters.conditions)) {
        expect(page).toContain(`| \`${feature}\` | ${least ?? ''} | ${most ?? ''} | ${reason} |`);
      }
    }
  });

  test('describes every program, indicator and setting', () => {
    const programs = textAt('/docs/programs.md');
    for (const { name, programId } of DECODERS) {
      const [, section = ''] = programs.split(`### ${name}\n`);
      expect(section.slice(0, 2_000), name).toContain(programId);
    }
    const indicators = textAt('/docs/indicators.md');
    for (const name of FIGURE_NAMES)
      expect(indicators).toMatch(new RegExp(`\\| \`${name}\` \\| \\w`));
    const settings = textAt('/docs/settings.md');
    for (const name of SETTING_NAMES) expect(settings).toContain(`| \`${name}\` |`);
  });

  test('describes every operation of the OpenAPI document, with its parameters', () => {
    for (const [path, methods] of Object.entries(openApi.paths)) {
      for (const [method, { tags, parameters = [], summary }] of Object.entries(methods)) {
        const page = textAt(`/docs/endpoints/${tags[0]}.md`);
        const [, after = ''] = page.split(`## ${method.toUpperCase()} ${path}\n`);
        const [section = ''] = after.split('\n## ');
        expect(section, `${method} ${path}`).toContain(summary);
        for (const { name } of parameters) expect(section).toContain(`| \`${name}\` |`);
      }
    }
  });

  test('has every decision, newest first', () => {
    const index = textAt('/docs/decisions.md');
    const numbers = [...index.matchAll(/\(\/docs\/decisions\/(\d{4})-/g)].map(
      ([, number]) => number,
    );
    expect(numbers).toHaveLength(globSync('docs/decisions/*.md').length);
    expect(numbers).toEqual(numbers.toSorted().toReversed());
  });

  test('has every page as Markdown too, and lists all of them in llms.txt', () => {
    const list = textAt('/llms.txt');
    expect(list).toMatch(/^# Mintscope\n\n> .+\n/);
    const pages = htmlPages().map(([url]) => (url === '/docs/' ? '/docs/index' : url));
    expect(pages.length).toBeGreaterThan(100);
    const listed = [...list.matchAll(/^- \[.+\]\((\/docs\/[^)]+)\): \S.*$/gm)].map(
      ([, url]) => url,
    );
    expect(listed.toSorted()).toEqual(pages.map((url) => `${url}.md`).toSorted());
    for (const url of listed) expect(textAt(url ?? '')).toMatch(/^# /);
  });

  test('has nothing inline in its pages, and loads nothing from elsewhere', () => {
    for (const [url, content] of htmlPages()) {
      const html = String(content);
      expect(html, url).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/);
      for (const [tag, code] of html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)) {
        expect([tag.includes(' src="/docs/'), code], url).toEqual([true, '']);
      }
      expect(html, url).not.toMatch(/<(script|img|link|iframe)[^>]*\s(src|href)="(https?:)?\/\//);
    }
  });

  test('is of the version of the API', () => {
    for (const [url, content] of htmlPages()) {
      expect(String(content), url).toContain(`<span class="version">${VERSION}</span>`);
    }
    expect(textAt('/llms.txt')).toContain(`Version ${VERSION}.`);
  });

  test('lists for clients of the API what changed for them, and nothing else', () => {
    const changes = textAt('/docs/api-changes.md');
    expect(changes).toContain('\n### API\n');
    expect(changes).not.toContain('\n### Reliability\n');
  });

  test.each([
    ['as_of_slot', '/docs/operations#earlier-slots'],
    ['GET /v1/fraud/check', '/docs/endpoints/fraud#get-v1fraudcheck'],
    ['standard webhooks signature', '/docs/products/alerts'],
    ['traditional bundle', '/docs/detectors/traditional_bundle'],
    ['MintscopeLagging', '/docs/operations#mintscopelagging'],
    ['backup', '/docs/operations#backup-and-restore'],
    ['retnetion', '/docs/operations#retention-of-the-log'],
  ])('is found by its words: %s', (query, url) => {
    const [, index] = [...files].find(([name]) => name.includes('/search-')) ?? [];
    const found = MiniSearch.loadJSON<SearchEntry>(String(index), SEARCH_OPTIONS).search(query);
    expect(found.slice(0, 5).map(({ id }) => id)).toContainEqual(expect.stringContaining(url));
  });
});
