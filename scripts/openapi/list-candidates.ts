import type { DemoMarket } from './demo-market.ts';

/** Names for parameters, by the name of the parameter. */
export type Names = Readonly<Record<string, readonly string[]>>;

interface Token {
  readonly token_address: string;
  readonly creator_address: string | null;
}

interface Finding {
  readonly id: string;
  readonly token_address: string;
}

const TOKENS_URL = '/v1/tokens?order_by=volume_24h_usd&limit=200';

/** Tokens of the market, those with findings first, the wallets that created them, and findings. */
export async function listCandidates({ ask }: DemoMarket): Promise<Names> {
  const read = async (url: string) => JSON.parse((await ask('GET', url)).text);
  const { classifications } = await read('/v1/fraud/classifications?limit=100');
  const { items } = await read(TOKENS_URL);
  const tokens = items as readonly Token[];
  const findings = classifications as readonly Finding[];
  const suspected = findings.map((one) => one.token_address);
  const mints = new Set([...suspected, ...tokens.map((one) => one.token_address)]);
  const creators = new Set(tokens.flatMap((one) => one.creator_address ?? []));
  return {
    token_address: [...mints],
    address: [...creators],
    id: findings.map((one) => one.id),
  };
}
