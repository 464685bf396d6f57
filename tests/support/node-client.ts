import { request } from 'node:http';

/** The answer to a raw HTTP request. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** True when the connection ended before the announced length. */
  readonly isCut: boolean;
}

/** Posts a body unchanged, without a client library. */
export function post(
  port: number,
  body: string,
  { path = '/', type = 'application/json', method = 'POST' } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    const sent = request(
      { agent: false, port, host: '127.0.0.1', method, path, headers },
      (response) => {
        const parts: Buffer[] = [];
        const done = (isCut: boolean) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
            isCut,
          });
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => done(false));
        response.on('error', () => done(true));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** One JSON-RPC call. */
export async function call(port: number, method: string, ...params: unknown[]): Promise<RpcReply> {
  const { text } = await post(port, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return JSON.parse(text) as RpcReply;
}

export interface RpcReply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}
