import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { drainPending, Session } from 'chdb';

/** Request parameters that concern HTTP only. */
const NOT_SETTINGS = new Set(['query', 'query_id', 'database', 'default_format']);
const HTTP_ONLY = /^(wait_end_of_query|http_|enable_http|send_progress)/;

export interface ServedEngine {
  /** Arguments of the engine. */
  readonly connectionArgs?: readonly string[];
  /** What is run in place of a statement. */
  readonly rewrite?: (sql: string) => string;
}

/**
 * The part of ClickHouse's HTTP interface that the client uses (query in the URL or the body,
 * `param_…`, settings, database), answered by the embedded engine. Tests cannot expect a ClickHouse
 * server on every machine.
 */
export async function startClickHouseHttp(
  folder: string,
  { connectionArgs = [], rewrite = (sql) => sql }: ServedEngine = {},
): Promise<{ readonly url: string; close(): Promise<void> }> {
  await drainPending();
  const session = new Session(folder, { connectionArgs: [...connectionArgs] });
  let queue = Promise.resolve();
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const body = await bodyOf(request);
      const query = url.searchParams.get('query');
      const statement = query === null ? rewrite(body) : `${rewrite(query)}\n${body}`;
      try {
        for (const setup of setupOf(url.searchParams)) await session.queryAsync(setup);
        const result = await session.queryAsync(statement);
        response.end(result.bytes());
      } catch (error) {
        response.statusCode = 500;
        response.end(error instanceof Error ? error.message : String(error));
      }
    };
    queue = queue.then(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
      session.close();
      await drainPending();
    },
  };
}

/** Statements that apply the parameters of a request's URL to the session. */
function setupOf(parameters: URLSearchParams): string[] {
  const database = parameters.get('database');
  const settings = [...parameters]
    .filter(([name]) => !NOT_SETTINGS.has(name) && !HTTP_ONLY.test(name))
    .map(
      ([name, value]) => `${name} = '${value.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`,
    );
  return [
    ...(database === null ? [] : [`USE ${database}`]),
    ...(settings.length === 0 ? [] : [`SET ${settings.join(', ')}`]),
  ];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
