/** What a wallet holds, and what it is worth to the digit: node wallet-portfolio.ts <address> */
import { addDecimals, compareDecimals, MintscopeClient } from 'mintscope-client';

const client = new MintscopeClient({
  baseUrl: process.env.MINTSCOPE_URL ?? 'http://localhost:8080',
  key: process.env.MINTSCOPE_KEY,
});

const [address = ''] = process.argv.slice(2);
let value = '0';
let realised = '0';
const lines: { readonly worth: string; readonly text: string }[] = [];
for await (const position of client.items('/v1/wallets/{address}/positions', {
  path: { address },
  query: { status: 'open' },
})) {
  const { token_address, symbol, balance, value_usd, realised_usd } = position;
  // Null is unknown, and is not nothing.
  if (value_usd !== null) value = addDecimals(value, value_usd);
  if (realised_usd !== null) realised = addDecimals(realised, realised_usd);
  const text = `${symbol ?? token_address}: ${balance ?? '?'} worth ${value_usd ?? '?'} USD`;
  lines.push({ worth: value_usd ?? '-1', text });
}
for (const { text } of lines.sort((a, b) => compareDecimals(b.worth, a.worth))) console.log(text);
console.log(`total ${value} USD, realised ${realised} USD`);
