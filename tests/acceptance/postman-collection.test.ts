import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type DemoMarket, openDemoMarket } from '../../scripts/openapi/demo-market.ts';
import { CONSTRUCTED } from '../../scripts/openapi/fill-examples.ts';

interface Variable {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    readonly url: {
      readonly raw: string;
      readonly path: readonly string[];
      readonly query: readonly Variable[];
      readonly variable: readonly Variable[];
    };
    readonly body?: { readonly raw: string };
  };
}

interface Collection {
  readonly info: { readonly schema: string };
  readonly variable: readonly Variable[];
  readonly item: readonly { readonly item: readonly Item[] }[];
}

interface Document {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, unknown> }>>;
}

const read = (name: string): unknown => JSON.parse(readFileSync(`docs/${name}`, 'utf8'));
const collection = read('postman.json') as Collection;
const requests = collection.item.flatMap(({ item }) => item);

/** As `GET /v1/token/{token_address}`. */
const nameOf = ({ request: { method, url } }: Item) =>
  `${method} /${url.path.map((part) => part.replace(/^:(.*)/, '{$1}')).join('/')}`;

/** The URL that a program that reads the collection asks, without its base. */
function urlOf({ request: { url } }: Item): string {
  const values = new Map(url.variable.map(({ key, value }) => [`:${key}`, value]));
  const path = url.path.map((part) => encodeURIComponent(values.get(part) ?? part)).join('/');
  const sent = url.query.filter(({ disabled }) => disabled !== true);
  const query = sent.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&');
  return `/${path}${query === '' ? '' : `?${query}`}`;
}

describe('the collection of requests', () => {
  let market: DemoMarket;

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    market = await openDemoMarket((timeMs) => vi.setSystemTime(timeMs));
  });

  afterAll(async () => {
    await market?.close();
    vi.useRealTimers();
  });

  test('has every operation of the OpenAPI document once, except WebSockets, and no key', () => {
    const { paths } = read('openapi.json') as Document;
    const expected = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) => responses['101'] === undefined)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    expect(requests.map(nameOf).sort()).toEqual(expected.sort());
    expect(collection.info.schema).toMatch(/collection\/v2\.1\.0/);
    expect(collection.variable.find(({ key }) => key === 'apiKey')?.value).toBe('');
  });

  test('asks what the demo market answers with success', async () => {
    const asked = requests.filter(
      (item) =>
        item.request.method === 'GET' &&
        !CONSTRUCTED.has(nameOf(item)) &&
        // An endless answer.
        !item.request.url.raw.includes('/sse'),
    );
    expect(asked.length).toBeGreaterThan(40);
    const refused: string[] = [];
    for (const item of asked) {
      const { status, text } = await market.ask('GET', urlOf(item));
      if (status >= 400) refused.push(`${urlOf(item)} ${status} ${text.slice(0, 200)}`);
    }
    expect(refused).toEqual([]);
  });
});
