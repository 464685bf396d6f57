import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { startPython } from '../python.ts';
import { documentedRead } from './documented-read.ts';
import type { MarketReader } from './market-reader.ts';
import { OneSlot } from './one-slot.ts';

interface Answered {
  readonly result?: unknown;
  readonly slot?: number | null;
  readonly error?: string;
}

/** Words of Python that are names of parameters: the client puts `_` after them. */
const WORDS = new Set(['from', 'class']);

/** The Python client, in a process that answers lines of JSON. */
export class PythonClientReader implements MarketReader {
  private readonly process: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private readonly slot = new OneSlot();

  constructor(baseUrl: string, key: string) {
    const script = resolve('tests/support/market-readers/read_with_client.py');
    this.process = startPython(
      [script],
      { MINTSCOPE_TEST_URL: baseUrl, MINTSCOPE_TEST_KEY: key },
      { input: 'pipe' },
    );
    const { stdout } = this.process;
    if (stdout === null) throw new Error('Python has no standard output');
    this.process.stderr?.pipe(process.stderr);
    this.lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  async text(url: string): Promise<string> {
    return (await this.ask('text', url)).result as string;
  }

  async json<Body>(url: string): Promise<Body> {
    const { result, slot = null } = await this.ask('json', url);
    this.slot.assert(url, slot);
    return result as Body;
  }

  async items<Item>(url: string): Promise<readonly Item[]> {
    return (await this.ask('items', url)).result as readonly Item[];
  }

  async close(): Promise<void> {
    this.process.stdin?.end();
    await new Promise((ended) => this.process.once('close', ended));
  }

  private async ask(kind: string, url: string): Promise<Answered> {
    const { operationId, path, query } = documentedRead(url);
    const method = operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const given = Object.entries({ ...path, ...query }).map(([name, value]) => [
      WORDS.has(name) ? `${name}_` : name,
      value,
    ]);
    const line = { kind, method, arguments: Object.fromEntries(given) };
    this.process.stdin?.write(`${JSON.stringify(line)}\n`);
    const { value, done } = await this.lines.next();
    if (done === true) throw new Error(`Python ended at ${url}`);
    const answered = JSON.parse(value) as Answered;
    if (answered.error !== undefined) throw new Error(`${url}: ${answered.error}`);
    return answered;
  }
}
