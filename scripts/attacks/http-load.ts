import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKER_ADDRESS, type AttackTarget, type Tally } from './attack.ts';

export interface HttpAsk {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
}

/** Delay before a refused request is repeated, as by a client that ignores Retry-After. */
const REFUSED_PAUSE_MS = 50;

/** Keeps `parallel` requests open until the signal is aborted; `askOf` gives each request. */
export async function keepAsking(
  { host, port, keys }: AttackTarget,
  parallel: number,
  askOf: (count: number) => HttpAsk,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: parallel,
    localAddress: ATTACKER_ADDRESS,
  });
  let count = 0;
  const askOne = async () => {
    while (!signal.aborted) {
      const ask = askOf(count);
      const headers = { 'x-api-key': keys[count++ % keys.length], ...ask.headers };
      const status = await send({ host, port, agent, ...ask, headers });
      tally.count(status);
      if (status === 'closed' || Number(status) >= 400) await sleep(REFUSED_PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: parallel }, askOne));
  agent.destroy();
}

function send({
  body,
  ...options
}: HttpAsk & { readonly host: string; readonly port: number; readonly agent: Agent }): Promise<
  number | 'closed'
> {
  return new Promise((resolve) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const typed = text === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request({ ...options, headers: { ...options.headers, ...typed } }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', () => resolve('closed'));
      response.resume();
    });
    sent.on('error', () => resolve('closed'));
    sent.end(text);
  });
}
