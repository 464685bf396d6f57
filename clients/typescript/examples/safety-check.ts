/** Should a sniper buy this token? node safety-check.ts <token address> */
import { MintscopeClient, toUnits } from 'mintscope-client';

const client = new MintscopeClient({
  baseUrl: process.env.MINTSCOPE_URL ?? 'http://localhost:8080',
  key: process.env.MINTSCOPE_KEY,
});

const [token_address = ''] = process.argv.slice(2);
/** A tenth of the supply, in millionths. */
const SHARE_MAX = 100_000n;

const [fraud, token, holders] = await Promise.all([
  client.get('/v1/fraud/check', { query: { token_address } }),
  client.get('/v1/token/{token_address}', { path: { token_address } }),
  client.get('/v1/token/{token_address}/holders', {
    path: { token_address },
    query: { limit: 10 },
  }),
]);
const { mint_authority_address, freeze_authority_address } = token.data.token;
const whales = holders.data.holders.filter(
  ({ kind, share_of_supply: share }) =>
    kind === 'wallet' && share !== null && toUnits(share, 6) > SHARE_MAX,
);
const reasons = [
  ...fraud.data.classifications.map(
    ({ fraud_type, confidence_score }) => `${fraud_type} with confidence ${confidence_score}`,
  ),
  ...(mint_authority_address === null ? [] : ['more tokens can be minted']),
  ...(freeze_authority_address === null ? [] : ['accounts can be frozen']),
  ...whales.map(({ holder_address }) => `${holder_address} holds more than 10 %`),
  ...(fraud.isComplete === false ? ['the service has missed a part of the chain'] : []),
];
console.log(`${reasons.length === 0 ? 'buy' : 'do not buy'} ${token_address} (slot ${fraud.slot})`);
for (const reason of reasons) console.log(`- ${reason}`);
