/** Every trade of a wallet once, over restarts: node follow-wallet.ts <address> <file> */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { MintscopeClient } from 'mintscope-client';

const client = new MintscopeClient({
  baseUrl: process.env.MINTSCOPE_URL ?? 'http://localhost:8080',
  key: process.env.MINTSCOPE_KEY,
});

const [wallet_address = '', file = 'position.txt'] = process.argv.slice(2);
const since = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
const params = { wallet_address };
const subscription = {
  topic: 'trades',
  params,
  ...(since === undefined ? {} : { since }),
} as const;

let left = Number(process.env.EVENTS ?? Number.POSITIVE_INFINITY);
for await (const event of client.stream(subscription)) {
  if (event.type === 'gap') console.log('some trades were missed: read /v1/trades for them');
  if (event.type !== 'message' && event.type !== 'undo') continue;
  const { side, token_amount, token_address, value_usd } = event.data;
  const isUndone = event.type === 'undo';
  console.log(`${isUndone ? 'not ' : ''}${side} ${token_amount} of ${token_address}: ${value_usd}`);
  // Written once the trade has been handled: the next start continues after it.
  writeFileSync(file, String(event.seq));
  if (--left === 0) break;
}
