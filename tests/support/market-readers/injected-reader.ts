import type { FastifyInstance } from 'fastify';
import type { MarketReader } from './market-reader.ts';
import { OneSlot } from './one-slot.ts';

/** Plain HTTP, without a client: requests with one key to an API in this thread. */
export class InjectedReader implements MarketReader {
  private readonly app: FastifyInstance;
  private readonly key: string;
  private readonly slot = new OneSlot();

  constructor(app: FastifyInstance, key: string) {
    this.app = app;
    this.key = key;
  }

  async text(url: string): Promise<string> {
    const answer = await this.app.inject({ url, headers: { 'x-api-key': this.key } });
    if (answer.statusCode !== 200) {
      throw new Error(`${url} answered ${answer.statusCode}: ${answer.body.slice(0, 300)}`);
    }
    this.slot.assert(url, Number(answer.headers['x-slot']));
    return answer.body;
  }

  async json<Body>(url: string): Promise<Body> {
    return JSON.parse(await this.text(url)) as Body;
  }

  async items<Item>(url: string): Promise<readonly Item[]> {
    const items: Item[] = [];
    let cursor: string | null = null;
    do {
      const next: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page: Record<string, unknown> = await this.json(`${url}${next}`);
      const [list] = Object.values(page).filter((value) => Array.isArray(value));
      items.push(...(list as readonly Item[]));
      cursor = page.next_cursor as string | null;
    } while (cursor !== null);
    return items;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
