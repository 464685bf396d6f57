/** The tokens whose volume of people grows most, with their prices. */
import { MintscopeClient } from 'mintscope-client';

const client = new MintscopeClient({
  baseUrl: process.env.MINTSCOPE_URL ?? 'http://localhost:8080',
  key: process.env.MINTSCOPE_KEY,
});

const found: string[] = [];
for await (const token of client.items('/v1/tokens', {
  query: { order_by: 'trending', order_dir: 'desc', limit: 20 },
})) {
  found.push(token.token_address);
  if (found.length === 40) break;
}
if (found.length > 0) {
  const { data, slot } = await client.post('/v1/batch/prices', { body: { addresses: found } });
  for (const { address, data: price } of data.items) {
    console.log(`${address} ${price.price_usd ?? 'unknown'}`);
  }
  console.log(`${data.items.length} prices as of slot ${slot}`);
}
