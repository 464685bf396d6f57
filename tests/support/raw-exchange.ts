import { once } from 'node:events';
import { request } from 'node:http';

export interface Exchange {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

export interface RawAnswer {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends a request on a connection of its own, and returns what comes back, unchanged. */
export async function exchange(
  origin: string,
  { method = 'GET', path, headers = {}, body }: Exchange,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const sent = request({
    ...{ host: hostname, port, method, path, agent: false },
    headers: headers as Record<string, string>,
  });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return {
    status: answer.statusCode,
    reason: answer.statusMessage,
    headers: answer.headers,
    body: Buffer.concat(chunks),
  };
}
