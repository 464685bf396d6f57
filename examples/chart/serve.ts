/**
 * Serves the chart page and passes its requests under /udf on to a Mintscope service, with the key of
 * the environment, so that the page needs none. Listens on the loopback alone.
 *
 *   MINTSCOPE_API_KEY=… node examples/chart/serve.ts --url http://127.0.0.1:8080 --port 8090
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';

const FILES: Readonly<Record<string, readonly [path: string, type: string]>> = {
  '/': ['./index.html', 'text/html; charset=utf-8'],
  '/chart.js': ['./chart.js', 'text/javascript; charset=utf-8'],
  '/udf-client.js': ['./udf-client.js', 'text/javascript; charset=utf-8'],
  '/lightweight-charts.js': [
    '../../node_modules/lightweight-charts/dist/lightweight-charts.standalone.production.mjs',
    'text/javascript; charset=utf-8',
  ],
};
const CONTENT_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";
const ANSWER_MS = 30_000;

/** A server of the page in front of a service. It does not listen yet. */
export function chartServer(serviceUrl: string, key: string): Server {
  return createServer((request, response) => {
    answer(request, response, serviceUrl, key).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The service at ${serviceUrl} does not answer: ${reason}`;
      send(response, 502, 'application/json', JSON.stringify({ s: 'error', errmsg: message }));
    });
  });
}

async function answer(
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  serviceUrl: string,
  key: string,
): Promise<void> {
  if (method !== 'GET') return send(response, 405, 'text/plain', 'Only GET is answered.');
  if (url.startsWith('/udf/')) return await passOn(new URL(url, serviceUrl), response, key);
  const [path, type] = FILES[url.replace(/\?.*/, '')] ?? [];
  if (path === undefined || type === undefined) {
    return send(response, 404, 'text/plain', 'There is no such file.');
  }
  send(response, 200, type, await readFile(new URL(path, import.meta.url)));
}

async function passOn(url: URL, response: ServerResponse, key: string): Promise<void> {
  // A path such as /udf/../v1/key must not be reached with this key.
  if (!url.pathname.startsWith('/udf/')) return send(response, 404, 'text/plain', 'No such path.');
  const signal = AbortSignal.timeout(ANSWER_MS);
  const given = await fetch(url, { headers: { 'x-api-key': key }, redirect: 'error', signal });
  const type = given.headers.get('content-type') ?? 'application/json';
  send(response, given.status, type, await given.text());
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': type, 'content-security-policy': CONTENT_POLICY });
  response.end(body);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8080' },
      port: { type: 'string', default: '8090' },
    },
  });
  const key = process.env.MINTSCOPE_API_KEY ?? '';
  const port = Number(values.port);
  if (key === '' || !URL.canParse(values.url) || !Number.isInteger(port)) {
    process.stderr.write('Set MINTSCOPE_API_KEY, and give --url and --port of a service.\n');
    process.exit(2);
  }
  chartServer(values.url, key).listen(port, '127.0.0.1', () => {
    process.stdout.write(`The chart is at http://127.0.0.1:${port}/?symbol=<mint or pool>\n`);
  });
}
