/** Reports fraud findings as they come, and takes back what a fork takes back. */
import { MintscopeClient } from 'mintscope-client';

const client = new MintscopeClient({
  baseUrl: process.env.MINTSCOPE_URL ?? 'http://localhost:8080',
  key: process.env.MINTSCOPE_KEY,
});

/** Where a bot would post; here it prints. */
const post = (text: string) => console.log(text);

let left = Number(process.env.EVENTS ?? Number.POSITIVE_INFINITY);
for await (const event of client.stream({ topic: 'findings' })) {
  if (event.type === 'ready') post(`watching from slot ${event.slot}`);
  else if (event.type === 'gap') {
    const { data } = await client.get('/v1/fraud/classifications', { query: { limit: 20 } });
    post(`something was missed; the newest findings are ${data.classifications.length}`);
  } else {
    const { token_address, fraud_type, confidence_level } = event.data;
    const isOver = event.type === 'undo' || event.data.status === 'false_positive';
    post(`${isOver ? 'withdrawn: ' : ''}${confidence_level} ${fraud_type} of ${token_address}`);
    if (--left === 0) break;
  }
}
