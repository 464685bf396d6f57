import { collectBody } from './collect-body.ts';
import { openUpstream } from './open-upstream.ts';
import type { Replica } from './replica.ts';

/** A replica keeps what was wanted for an hour after the last subscription. */
export const PREPARED_MS = 30 * 60_000;
const PREPARE_MS = 10_000;
const HEAD_BYTES_MAX = 65_536;

/**
 * Lets a replica keep the messages of an event stream, so that the stream can go on there without a
 * gap: opens it, and ends it once it has begun. Never rejects.
 */
export async function prepareEvents(
  replica: Replica,
  path: string,
  headers: readonly string[],
): Promise<void> {
  const signal = AbortSignal.timeout(PREPARE_MS);
  try {
    const { origin } = replica;
    const options = { origin, path, method: 'GET' as const, headers: [...headers], signal };
    const { statusCode, body } = await replica.streams.request(options);
    let text = '';
    if (statusCode === 200) {
      for await (const bytes of body) {
        text += String(bytes);
        if (text.includes('event: ack') || text.length > HEAD_BYTES_MAX) break;
      }
    } else await collectBody(body, HEAD_BYTES_MAX);
    body.destroy();
  } catch {
    // Without it the stream goes on with a gap, which is reported.
  }
}

/** As `prepareEvents`, for subscriptions of a WebSocket; each is a message that subscribes. */
export async function prepareSubscriptions(
  replica: Replica,
  path: string,
  headers: readonly string[],
  subscriptions: readonly string[],
): Promise<void> {
  const opened = await openUpstream(replica, path, headers);
  if (opened?.kind !== 'opened') return;
  const { socket } = opened;
  let unanswered = subscriptions.length;
  await new Promise<void>((resolve) => {
    const limit = setTimeout(resolve, PREPARE_MS);
    socket.on('message', (data) => {
      if (!/^\{"op":"(ack|error)"/.test(String(data))) return;
      unanswered--;
      if (unanswered === 0) resolve();
    });
    socket.once('close', () => {
      clearTimeout(limit);
      resolve();
    });
    for (const text of subscriptions) socket.send(text);
  });
  socket.close();
}
