/** New tokens and what is found about them, over one connection. */
import { MintscopeClient } from 'mintscope-client';

const client = new MintscopeClient({
  baseUrl: process.env.MINTSCOPE_URL ?? 'http://localhost:8080',
  key: process.env.MINTSCOPE_KEY,
});

const names = new Map<string, string>();
let left = Number(process.env.EVENTS ?? Number.POSITIVE_INFINITY);
for await (const event of client.stream([
  { id: 'launches', topic: 'new_tokens' },
  { id: 'findings', topic: 'findings' },
])) {
  if (event.type !== 'message') continue;
  if (event.topic === 'new_tokens') {
    const { token_address, name } = event.data.token;
    names.set(token_address, name ?? token_address);
    console.log(`launched: ${name ?? token_address}`);
  } else {
    const { token_address, fraud_type } = event.data;
    console.log(`${fraud_type}: ${names.get(token_address) ?? token_address}`);
  }
  if (--left === 0) break;
}
