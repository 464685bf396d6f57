import { text } from 'node:stream/consumers';
import { MintscopeClient } from '../../../clients/typescript/src/index.ts';
import { documentedRead } from './documented-read.ts';
import type { MarketReader } from './market-reader.ts';
import { OneSlot } from './one-slot.ts';

/** Paths and parameters come from a test at run time: the types of single operations do not apply. */
interface AnyClient {
  get(path: string, options: object): Promise<{ readonly data: unknown; readonly slot: number }>;
  items(path: string, options: object): AsyncIterable<unknown>;
  download(path: string, options: object): Promise<ReadableStream<Uint8Array>>;
}

/** The TypeScript client. */
export class TypeScriptClientReader implements MarketReader {
  private readonly client: AnyClient;
  private readonly slot = new OneSlot();

  constructor(baseUrl: string, key: string) {
    this.client = new MintscopeClient({ baseUrl, key }) as unknown as AnyClient;
  }

  async text(url: string): Promise<string> {
    const { template, path, query } = documentedRead(url);
    return await text(await this.client.download(template, { path, query }));
  }

  async json<Body>(url: string): Promise<Body> {
    const { template, path, query } = documentedRead(url);
    const { data, slot } = await this.client.get(template, { path, query });
    this.slot.assert(url, slot);
    return data as Body;
  }

  async items<Item>(url: string): Promise<readonly Item[]> {
    const { template, path, query } = documentedRead(url);
    const items: Item[] = [];
    for await (const item of this.client.items(template, { path, query })) items.push(item as Item);
    return items;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
