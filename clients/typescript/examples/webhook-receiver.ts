/** Receives webhooks: takes what is signed, recent and new. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookError } from 'mintscope-client';

const secret = process.env.WEBHOOK_SECRET ?? '';
const handled = new Set<string>();

const server = createServer(async (request, response) => {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers } = request;
    const { id, event } = await verifyWebhook({ secret, headers, body: Buffer.concat(chunks) });
    response.writeHead(204).end();
    // A delivery can be repeated: its id stays the same.
    if (handled.has(id)) return;
    handled.add(id);
    if (event.type === 'trigger.fired') console.log(`fired: ${event.data.trigger_id}`);
    else console.log(event.type);
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    response.writeHead(401).end();
    console.log(`refused: ${error.fault}`);
  }
});
server.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () => {
  console.log(`listening on ${(server.address() as AddressInfo).port}`);
});
